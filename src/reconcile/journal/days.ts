import type { ProofRow } from '../../domain/matching/postings.ts';
import type { DayMovement, JournalInput, StatedAccount } from './input.ts';

/** The movements of an account. */
export function daysOf({ days }: Pick<JournalInput, 'days'>, { account, currency }: StatedAccount): DayMovement[] {
  return days.filter((one) => one.account === account && one.currency === currency);
}

/** What kind of movement it is: `sale` stands in the merchant's books, `settlement` has its other side in another account. */
export function natureOf({ row, reverses }: Pick<DayMovement, 'row' | 'reverses'>): 'sale' | 'settlement' | 'other' {
  if (row === 'collections' || row === 'refunds') return 'sale';
  if (row === 'reversals' && reverses === 'collection') return 'sale';
  return row === 'settlements' || row === 'top_ups' ? 'settlement' : 'other';
}

const WORDS: Readonly<Record<ProofRow, string>> = {
  collections: 'Collections',
  fees: 'Fees',
  tax: 'Tax on fees',
  duty: 'Stamp duty',
  refunds: 'Refunds',
  refund_fees: 'Fees of refunds',
  reserves: 'Reserved for refunds',
  payouts: 'Payouts',
  reversals: 'Reversed payouts',
  top_ups: 'Top-ups',
  settlements: 'Settlements',
  chargebacks: 'Chargebacks',
  adjustments: 'Adjustments',
  other: 'Other movements',
};

/** The words of a movement, as an accountant reads them. */
export function wordsOf({ row, reverses }: Pick<DayMovement, 'row' | 'reverses'>): string {
  return row === 'reversals' && reverses === 'collection' ? 'Reversed collections' : WORDS[row];
}
