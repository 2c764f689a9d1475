import type { JournalAccount } from '../../domain/journal/words.ts';
import { isAt, STATEMENTS } from '../../domain/statements/lines.ts';
import type { JournalInput, StatedAccount } from './input.ts';

/** What part an account of the statements plays in the journal. */
export type Part =
  | 'money' // its movements are entered
  | 'books' // it says what was sold and refunded
  | 'aside'; // it only divides what another account shows

/**
 * Casts the accounts of each currency. Settlement statements beside a wallet say how its batches are made up, which moves nothing;
 * without a wallet they are where collections wait for the bank. The merchant's own books count where collections are shown.
 */
export function castOf({ accounts }: Pick<JournalInput, 'accounts'>): (account: StatedAccount) => Part {
  const has = (stage: 'service' | 'transit', currency: string) =>
    accounts.some((one) => isAt(one.kind, stage) && one.currency === currency);
  return ({ kind, currency }) => {
    if (STATEMENTS[kind].isMoney) return 'money';
    if (isAt(kind, 'transit')) return has('service', currency) ? 'aside' : 'money';
    return has('service', currency) || has('transit', currency) ? 'books' : 'aside';
  };
}

/** The role of an account whose movements are entered. */
export function moneyRole({ kind }: StatedAccount): JournalAccount {
  return STATEMENTS[kind].journal ?? 'wallet';
}
