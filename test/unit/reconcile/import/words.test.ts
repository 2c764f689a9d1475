import { expect, test } from 'vitest';
import { balanceTexts, rivalTexts } from '../../../../src/reconcile/import/words.ts';
import { bookFile } from '../../../support/book-files.ts';

const text = (opening: bigint | null, sum: bigint, closing: bigint | null) =>
  balanceTexts({ balances: [{ currency: 'NGN', opening, closing, sum }] } as never)[0];

test.each<[string, Parameters<typeof text>]>([
  ['opening 1000.00 + lines -20.00 = closing 980.00 NGN', [100_000n, -2_000n, 98_000n]],
  ['opening 1000.00 + lines 120.00 ≠ closing 1125.00 NGN: a difference of 5.00', [100_000n, 12_000n, 112_500n]],
  ['opening 1000.00 + lines 120.00 ≠ closing 1115.00 NGN: a difference of -5.00', [100_000n, 12_000n, 111_500n]],
  ['lines 120.00 NGN', [null, 12_000n, 112_000n]],
])('an import prints no untrue sum: %s', (expected, given) => {
  expect(text(...given)).toBe(expected);
});

test('of two files that cannot both be right, the import names the lines of one alone, the days and the balances that differ', () => {
  const one = bookFile({ statement: 1, to: '2026-10-15', closing: 115_000n });
  const other = bookFile({ statement: 2, from: '2026-10-10', opening: 110_000n, closing: 115_000n });
  const [none, line] = [
    { lines: 0, minor: 0n },
    { lines: 1, minor: 5_000n },
  ];
  const said = (here: typeof none) =>
    rivalTexts({ one, other, rivalry: { how: 'contradicting', one: none, other: here, both: none } })[0];
  const where = '2026-10-01 to 2026-10-15 there, 2026-10-10 to 2026-10-31 here; opening 1000.00 there, 1100.00 here.';
  expect(said(line)).toBe(
    `It shows the same days as statement 1 (1.csv) otherwise: 1 line of 50.00 NGN only here; ${where}`,
  );
  expect(said(none)).toBe(`It shows the same days as statement 1 (1.csv) otherwise: ${where}`);
});
