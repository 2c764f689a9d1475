import type { JournalAccount } from '../../domain/journal/words.ts';
import { STATEMENTS } from '../../domain/statements/lines.ts';
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
  const has = (kind: StatedAccount['kind'], currency: string) =>
    accounts.some((one) => one.kind === kind && one.currency === currency);
  return ({ kind, currency }) => {
    if (STATEMENTS[kind].isMoney) return 'money';
    if (kind === 'settlement') return has('wallet', currency) ? 'aside' : 'money';
    return has('wallet', currency) || has('settlement', currency) ? 'books' : 'aside';
  };
}

/** The role of an account whose movements are entered. */
export function moneyRole({ kind }: StatedAccount): JournalAccount {
  return STATEMENTS[kind].journal ?? 'wallet';
}
