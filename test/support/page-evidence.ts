import { exceptionAnchor } from '../../src/reconcile/report/html/anchors.ts';
import type { Evidence } from '../../src/reconcile/report/html/stories.ts';
import type { ReportedException } from '../../src/reconcile/report/model.ts';

/** Evidence for pages in tests: a line, a webhook and an answer for each reference. */
export const TOLD_EVIDENCE: Evidence = {
  place: async ({ statement, row }) => `row ${row} of file-${statement}.csv`,
  async *stories(exceptions) {
    for (const [anchor, of] of Map.groupBy(exceptions, exceptionAnchor)) if (anchor !== null) yield story(anchor, of);
  },
};

function story(anchor: string, exceptions: readonly ReportedException[]) {
  const [{ reference, environment, line } = { reference: null, environment: 'live' as const, line: null }] = exceptions;
  const where = line === null ? 'row 9 of file-2.csv' : `row ${line.row} of file-${line.statement}.csv`;
  return {
    ...{ anchor, environment, reference, exceptions },
    told: [
      { by: 'Statement', at: '2026-10-20', text: `collection +1,222.50 NGN of ${reference}`, where },
      { by: 'Webhook', at: '2026-10-20 14:05:03', text: 'payment.success: success', where: 'signed by live-2' },
      {
        by: 'Service',
        at: '2026-10-20 15:00:00',
        text: 'answered success',
        where: `sha256 of the answer ${'ab'.repeat(32)}`,
      },
    ] as const,
  };
}
