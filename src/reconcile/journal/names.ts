import type { JournalAccount } from '../../domain/journal/words.ts';
import { JournalError } from './error.ts';

/** The names of the ledger's accounts: one for all, or one for each currency or account of the statements. */
export type AccountMap = Readonly<Record<JournalAccount, string | Readonly<Record<string, string>>>>;

/** Names the account of an entry. */
export interface AccountNames {
  /** @throws JournalError when the map has no name */
  readonly nameOf: (role: JournalAccount, account: string, currency: string) => string;
}

/** In a default name, what an account of the statements is called. */
export const ACCOUNT_PLACE = 'ACCOUNT';

/** Looks names up in the map: the account's own, else that of the currency. */
export function accountNames(map: AccountMap): AccountNames {
  return {
    nameOf(role, account, currency) {
      const given = map[role];
      if (typeof given === 'string') return given.replace(ACCOUNT_PLACE, () => ledgerName(account));
      const name = ownName(given, account) ?? ownName(given, currency);
      if (name !== undefined) return name;
      throw new JournalError(
        'missing_account',
        `journal.accounts.${role} names no account for ${account} in ${currency}.`,
        `Add ${JSON.stringify(account)} or ${currency} to journal.accounts.${role} in tallyhook.yaml, then run it again.`,
      );
    },
  };
}

function ownName(names: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(names, key) ? names[key] : undefined;
}

/** A name of the statements, without what stands for something else in a plain text journal. */
function ledgerName(account: string): string {
  return account
    .replace(/[;"'()[\]{}*!=@|:\p{Cc}]+/gu, '-')
    .replace(/\s+/gu, ' ')
    .trim();
}
