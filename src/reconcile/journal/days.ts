import { PROOF } from '../../domain/statements/lines.ts';
import type { DayMovement, JournalInput, StatedAccount } from './input.ts';

/** The movements of an account. */
export function daysOf({ days }: Pick<JournalInput, 'days'>, { account, currency }: StatedAccount): DayMovement[] {
  return days.filter((one) => one.account === account && one.currency === currency);
}

/** What kind of movement it is: `sale` stands in the merchant's books, `settlement` has its other side in another account. */
export function natureOf({ row, reverses }: Pick<DayMovement, 'row' | 'reverses'>): 'sale' | 'settlement' | 'other' {
  return row === 'reversals' && reverses === 'collection' ? PROOF.collections.nature : PROOF[row].nature;
}

/** The words of a movement, as an accountant reads them. */
export function wordsOf({ row, reverses }: Pick<DayMovement, 'row' | 'reverses'>): string {
  return row === 'reversals' && reverses === 'collection' ? 'Reversed collections' : PROOF[row].entry;
}
