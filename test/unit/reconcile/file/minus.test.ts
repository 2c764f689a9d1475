import { expect, test } from 'vitest';
import { profileOf, readWhole } from '../../../support/statements/statement.ts';

// A minus in columns of money out and in: a debit that is written with one, or a debit that is taken back. No row tells which.

const FILE =
  'Date,Reference,Out,In\n2026-10-01,A,-50.00,\n2026-10-01,B,7.50,\n2026-10-01,C,,20.00\n2026-10-01,D,,-20.00\n2026-10-01,E,0.00,1.00\n';

test.each([
  [undefined, [-750n, 2_000n, 100n], ['A: Out is negative', 'D: In is negative']],
  ['debit', [-5_000n, 2_000n, 100n], ['B: Out has no minus', 'D: In is negative']],
  ['reversal', [5_000n, -750n, 2_000n, -2_000n, 100n], []],
])('negative: %s', async (negative, amounts, refused) => {
  const { lines, unparsed } = await readWhole(
    FILE,
    profileOf({ amount: { debitCredit: { debit: 'Out', credit: 'In', negative } } }),
  );
  expect(lines.map(({ amount }) => amount)).toEqual(amounts);
  const named = unparsed.map(({ row, column, reason }) => `${'?ABCDE'[row - 1]}: ${column} ${reason.slice(3)}`);
  expect(named).toEqual(refused.map((start) => expect.stringContaining(start)));
  for (const { reason } of unparsed) expect(reason).toContain('amount.debitCredit.negative');
});
