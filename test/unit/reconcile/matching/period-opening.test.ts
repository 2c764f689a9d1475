import { expect, test } from 'vitest';
import { openingOf } from '../../../../src/reconcile/matching/period-opening.ts';
import type { MatchRun } from '../../../../src/reconcile/matching/run.ts';
import type { StatementSummary } from '../../../../src/store/statements.ts';

/* October; 30.00 moved on each day. */

const run = { window: { from: '2026-10-01', eve: '2026-09-30' } } as unknown as MatchRun;
const archive = {
  movedOn: async ({ from, to }: { from: string; to: string }) =>
    3_000n * BigInt((Date.parse(to) - Date.parse(from)) / 86_400_000 + 1),
};

const stating = (from: string) =>
  ({
    account: { name: 'wallet' },
    covers: { from, to: '2026-10-31' },
    balances: [{ currency: 'NGN', opening: 100_000n }],
  }) as unknown as StatementSummary;

test.each([
  ['on its first day', '2026-10-01', 100_000n],
  ['two days before it', '2026-09-29', 106_000n],
  ['two days after it, behind a file without a balance', '2026-10-03', 94_000n],
])('a period opens by the statement that begins %s', async (_, from, opening) => {
  const statements = [stating(from)];
  const chain = { files: statements, before: () => [] };
  expect(await openingOf(run, archive, { chain, statements, currency: 'NGN' })).toMatchObject({ opening });
});
