import { expect, test } from 'vitest';
import { balanceTexts } from '../../../../src/reconcile/import/words.ts';

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
