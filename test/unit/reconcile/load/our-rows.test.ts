import { expect, test } from 'vitest';
import { keepStatementRows } from '../../../../src/reconcile/load/our-rows.ts';
import type { Sides } from '../../../../src/reconcile/load/sides.ts';
import type { TopUp } from '../../../../src/store/scratch/batches.ts';
import type { KeyedRow, Scratch } from '../../../../src/store/scratch/scratch.ts';

// Top-ups of a wallet stand on our side of the leg to the bank. Their lines have other numbers in the store after each import.

function kept(topUps: readonly (TopUp & { readonly line: number })[], atBank: readonly bigint[] = []): KeyedRow[] {
  const rows: KeyedRow[] = [];
  const batches = {
    batches: () => [],
    topUps: () => topUps,
    atBank: () => atBank.map((amount, line) => ({ line, leg: 0, amount, pass: 'reference' })),
  };
  const scratch = {
    batches,
    passes: { pair: () => {} },
    keep: (row: KeyedRow) => rows.push(row),
  } as unknown as Scratch;
  const sides = {
    kinds: ['top_up'],
    ourAccounts: ['wallet'],
    number: 0,
    leg: { passes: ['reference'] },
  } as unknown as Sides;
  keepStatementRows(scratch, [sides], { from: '2026-10-01', until: '2026-10-31' });
  return rows;
}

const topUp = (line: number, reference: string | null, amount: bigint, date = '2026-10-03') => {
  const about = { environment: 'test', currency: 'NGN', sessionId: null, group: null } as const;
  return { ...about, line, reference, amount, date, postsOn: date };
};

test('top-ups without a name, or with the name of another, are named by day and place, whatever their lines are numbered', () => {
  const numbered = (first: number) => [
    topUp(first, 'TOP_1', 150_000n),
    topUp(first + 1, 'TOP_1', 100_000n),
    topUp(first + 2, null, 1_000n),
    topUp(first + 3, null, 1_000n),
    topUp(first + 4, null, 1_000n, '2026-10-04'),
  ];
  const names = kept(numbered(1)).map(({ reference }) => reference);
  expect(names).toEqual([
    'TOP_1',
    'TOP_1 (2)',
    'top-up of 2026-10-03 (1)',
    'top-up of 2026-10-03 (2)',
    'top-up of 2026-10-04 (1)',
  ]);
  expect(kept(numbered(70)).map(({ reference }) => reference)).toEqual(names);
});

test('top-ups of one name are one where they have no equal lines at the bank, and none of them counts in another period', () => {
  const amounts = (first: string, atBank: readonly bigint[]) =>
    kept([topUp(1, 'TOP_1', 300n, first), topUp(2, 'TOP_1', 200n)], atBank).map(({ amount }) => amount);
  expect(amounts('2026-10-02', [-500n])).toEqual([500n]);
  expect(amounts('2026-10-02', [-400n, -100n])).toEqual([500n]);
  for (const bank of [[-300n, -200n], [-200n, -300n, -500n], [-300n], []])
    expect(amounts('2026-10-02', bank)).toEqual([300n, 200n]);
  expect(amounts('2026-09-30', [-500n])).toEqual([300n, 200n]);
  expect(amounts('2026-11-01', [-500n])).toEqual([300n, 200n]);
});
