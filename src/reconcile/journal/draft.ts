import { castOf, type Part } from './cast.ts';
import { EntryBuilder } from './entry-builder.ts';
import { datesOf } from './grouping.ts';
import type { JournalInput, StatedAccount } from './input.ts';

/** A journal in the making: its input, ordered, and the entries so far. */
export interface Draft {
  readonly input: JournalInput;
  readonly builder: EntryBuilder;
  /** By name and currency. */
  readonly accounts: readonly StatedAccount[];
  readonly partOf: (account: StatedAccount) => Part;
  /** The date of the entry in which the movements of a day stand. */
  readonly dateOf: (day: string, currency: string) => string;
  readonly currencies: readonly string[];
}

export function draftOf(input: JournalInput): Draft {
  const accounts = input.accounts.toSorted((one, other) =>
    nameOf(one) < nameOf(other) ? -1 : Number(nameOf(one) > nameOf(other)),
  );
  return {
    input,
    builder: new EntryBuilder(input.names, input.earlier?.all ?? []),
    accounts,
    partOf: castOf(input),
    dateOf: datesOf(input),
    currencies: [...new Set(accounts.map(({ currency }) => currency))].sort(),
  };
}

function nameOf({ account, currency }: StatedAccount): string {
  return JSON.stringify([currency, account]);
}

/** Accounts that play a part, of one currency or of all. */
export function accountsOf({ accounts, partOf }: Draft, part: Part, currency?: string): StatedAccount[] {
  return accounts.filter((one) => partOf(one) === part && (currency === undefined || one.currency === currency));
}
