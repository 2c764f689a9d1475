import { JOURNAL_SOURCES, type JournalRole, type JournalSource } from './words.ts';

/** One account of an entry. */
export interface JournalLine {
  /** The name in the merchant's ledger. */
  readonly account: string;
  readonly role: JournalRole;
  /** Minor units: a debit is positive, a credit negative. Never 0. */
  readonly minor: bigint;
  readonly text: string;
  /** Of the payment or the batch; null: a sum of several. */
  readonly reference: string | null;
  /** The exception, or what else is followed from period to period; null: nothing. */
  readonly subject: string | null;
}

/** An entry without its number. Its lines are of one currency and add up to zero. */
export interface JournalEntry {
  /** `yyyy-MM-dd` */
  readonly date: string;
  readonly source: JournalSource;
  /** Of the statements; of entries about no single account, the first of the currency. */
  readonly account: string;
  readonly currency: string;
  readonly lines: readonly JournalLine[];
}

/** An entry as a closing kept it. Never changed, never deleted. */
export interface NumberedEntry extends JournalEntry {
  /** From 1, without gaps within its set and period. */
  readonly number: number;
  /** Of the period, from 1. */
  readonly closing: number;
  /** The number of the entry that this one takes back. */
  readonly reverses: number | null;
}

/** `2026-10-00001` */
export function entryName(period: string, number: number): string {
  return `${period}-${String(number).padStart(5, '0')}`;
}

/** By date, source, account and currency. */
export function compareEntries(one: JournalEntry, other: JournalEntry): number {
  return (
    compare(one.date, other.date) ||
    JOURNAL_SOURCES.indexOf(one.source) - JOURNAL_SOURCES.indexOf(other.source) ||
    compare(one.account, other.account) ||
    compare(one.currency, other.currency)
  );
}

/** What an entry is about: the entries of one closing have each a key of their own. */
export function entryKey({ date, source, account, currency }: JournalEntry): string {
  return JSON.stringify([date, source, account, currency]);
}

/** Adds up lines by account. */
export function sumsByAccount(entries: readonly Pick<JournalEntry, 'currency' | 'lines'>[]): AccountSum[] {
  const sums = new Map<string, AccountSum>();
  for (const { currency, lines } of entries) {
    for (const { account, minor } of lines) {
      const key = JSON.stringify([account, currency]);
      sums.set(key, { account, currency, minor: (sums.get(key)?.minor ?? 0n) + minor });
    }
  }
  return [...sums.values()].sort(
    (one, other) => compare(one.account, other.account) || compare(one.currency, other.currency),
  );
}

export interface AccountSum {
  readonly account: string;
  readonly currency: string;
  readonly minor: bigint;
}

/** By code units: the same order everywhere. */
function compare(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}
