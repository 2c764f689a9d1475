import type { Likeness } from '../../src/domain/refusals/refused-run.ts';
import { refusalWords } from '../../src/receive/refusal-words.ts';
import { type RefusalReason, refusalStatus } from '../../src/receive/refusals.ts';
import { isRetryable, isStoreFault } from '../../src/store/error.ts';
import type { KeptSpan } from '../../src/store/refused.ts';
import type { Column } from './output.ts';
import { isoTime, timeHeader, timeInColumn } from './text.ts';

/** When requests were refused, of `refused … --json`; docs/cli.md describes every field. */
export function refusedSpanJson(span: KeptSpan) {
  const { id, likeness, environments, count, reason, path, lastPath } = span;
  const [why, next] = refusalWords(reason, lastPath);
  return {
    ...{ id, from: isoTime(span.firstAtMs), to: isoTime(span.lastAtMs), count, status: answerOf(span) },
    ...{ reason, why, next: forEnvironments(next, environments), path, lastPath, likeness, environments },
  };
}

export function refusedSpanColumns(): readonly Column<KeptSpan>[] {
  return [
    { header: 'ID', value: ({ id }) => id, align: 'right', leaveOut: 3 },
    { ...timeHeader('FROM'), value: ({ firstAtMs }) => timeInColumn(firstAtMs) },
    { header: 'TO', value: ({ lastAtMs }) => timeInColumn(lastAtMs), leaveOut: 1 },
    { header: 'COUNT', value: ({ count }) => count, align: 'right' },
    { header: 'ANSWER', value: answerOf, align: 'right' },
    { header: 'REASON', value: ({ reason }) => reason },
    { header: 'PATH', value: ({ path, lastPath }) => path ?? lastPath, leaveOut: 2 },
    { header: 'WHAT', value: ({ likeness }) => WHAT[likeness], wraps: true, leaveOut: 4 },
  ];
}

const WHAT = {
  ours: 'signed with our keys',
  not_kept: 'authentic, not kept',
  merchant_only: 'our merchantSignature',
  signed: 'signed by another key',
  other: 'not signed',
} as const satisfies Record<Likeness, string>;

/** The status with which such requests are answered. */
function answerOf({ reason }: KeptSpan): number {
  if (!isStoreFault(reason)) return refusalStatus(reason as RefusalReason);
  return isRetryable(reason) ? 503 : 500;
}

function forEnvironments(next: string, [environment = 'live']: KeptSpan['environments']): string {
  return next.replaceAll('ENVIRONMENT', environment);
}
