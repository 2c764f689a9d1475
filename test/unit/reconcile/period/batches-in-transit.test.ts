import { expect, test } from 'vitest';
import type { BreakFacts, Item } from '../../../../src/domain/reconciling/break.ts';
import { type MatchRun, newFindings } from '../../../../src/reconcile/judge/run.ts';
import { batchesInTransit } from '../../../../src/reconcile/period/batches-in-transit.ts';

const FACTS = { sub: null, side: 'ours', field: 'reference', ours: null, theirs: null, detail: null } as const;

function batch(
  reference: string,
  date: string,
  over: { code?: BreakFacts['code']; leg?: string; kind?: Item['kind'] } = {},
): Item {
  const { code = 'timing', leg = 'batch-bank', kind = 'batch' } = over;
  return {
    facts: { ...FACTS, code },
    ...{
      kind,
      environment: 'test',
      reference,
      recordId: null,
      currency: 'NGN',
      minor: 120_000n,
      firstSeen: date,
      date,
    },
    place: { leg, account: 'bank-main', effect: -120_000n, line: null, candidates: [], names: null },
  };
}

const leg = (name: string, statement: string) => ({ leg: { name, theirs: { statement } } });
const run = (found: Partial<MatchRun['found']>) =>
  ({
    found: { ...newFindings(), ...found },
    sides: [leg('batch-bank', 'bank'), leg('batch-wallet', 'wallet')],
    window: { until: '2026-10-31' },
  }) as unknown as MatchRun;

test('a batch that the bank does not have yet is in transit, due or not, with its age; one of another leg is not', () => {
  const listed = batchesInTransit(
    run({
      timing: [batch('B-3', '2026-10-31'), batch('B-9', '2026-10-31', { leg: 'batch-wallet' })],
      breaks: [
        batch('B-2', '2026-10-29', { code: 'missing_external' }),
        batch('B-8', '2026-10-29', { code: 'amount_mismatch' }),
        batch('PAY-1', '2026-10-29', { code: 'missing_external', kind: 'collection' }),
      ],
      carried: [batch('B-1', '2026-10-02', { code: 'missing_external' })],
    }),
  );
  expect(listed.map(({ reference, account, age, amount }) => [reference, account, age, amount])).toEqual([
    ['B-1', 'bank-main', '>7d', 120_000n],
    ['B-2', 'bank-main', '1-3d', 120_000n],
    ['B-3', 'bank-main', '<24h', 120_000n],
  ]);
});
