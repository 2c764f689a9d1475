import type { LineType } from '../../domain/statements/lines.ts';

/** What a line of a bank account may be: the rest happens in the service's account. */
const KNOWN: ReadonlySet<LineType> = new Set(['settlement', 'top_up', 'fee', 'tax', 'duty', 'transfer', 'other']);
const PAYMENTS: ReadonlySet<LineType> = new Set(['collection', 'payout', 'top_up']);

/**
 * Returns what a word means on a bank account: a payment that comes in is a settlement of the service, and one that goes out is not the
 * service's business.
 */
export function bankTypeOf(type: LineType, direction: -1 | 0 | 1): LineType {
  if (direction > 0 && PAYMENTS.has(type)) return 'settlement';
  return KNOWN.has(type) ? type : 'other';
}

/** The types of a bank account of which no column says what a line is. */
export const BANK_DIRECTIONS: readonly { readonly word: '+' | '-'; readonly type: LineType; readonly why: string }[] = [
  {
    word: '+',
    type: 'settlement',
    why: 'money in, as no column says what a line is: is all of it from the service? Else take a column that tells, such as the text, for columns.type',
  },
  {
    word: '-',
    type: 'other',
    why: 'money out: other has nothing to do with the service; top_up if it goes into the wallet',
  },
];
