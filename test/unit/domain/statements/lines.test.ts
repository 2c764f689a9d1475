import { expect, test } from 'vitest';
import { isProven, LINE_TYPES, LINES, STATEMENTS } from '../../../../src/domain/statements/lines.ts';

const MOVES = {
  ...{ collection: 1, refund: -1, refund_reversal: 1, collection_reversal: -1, reserve: -1, release: 1 },
  ...{ payout: -1, payout_reversal: 1, chargeback: -1, chargeback_reversal: 1 },
} as const;

test('each type of line brings money or takes it; charges, batches and what is in no leg do either', () => {
  const moves = LINE_TYPES.flatMap((type) => (LINES[type].moves === null ? [] : [[type, LINES[type].moves]]));
  expect(Object.fromEntries(moves)).toEqual(MOVES);
});

test.each([
  ['wallet', true],
  ['bank', true],
  ['settlement', false],
  ['ledger', false],
] as const)('the balance of a %s is proven without a stated one: %s; with one it always is', (kind, expected) => {
  expect([isProven(kind, false), isProven(kind, true)]).toEqual([expected, true]);
});

test('what moves in a statement enters the account of the journal that is its own; the merchant’s own books enter none', () => {
  const journal = Object.fromEntries(Object.entries(STATEMENTS).map(([kind, { journal }]) => [kind, journal]));
  expect(journal).toEqual({ wallet: 'wallet', settlement: 'wallet_pending', bank: 'bank', ledger: null });
});
