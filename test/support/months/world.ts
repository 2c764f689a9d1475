import type { AccountName, FileLine, OurRecord, ProofRow } from '../month/story.ts';

/*
 * The words of a world of some months. A *deed* is one piece of business, or one planted fault: what our records say of it, what the lines
 * of the files say, and what is true of it at the end of any day. A day is a number: 1 is 1 October 2026, 32 is 1 November. A *stage* is
 * when something becomes known: 0 before the first month is reconciled, 1 before the second. All amounts are minor units.
 */

/** The end of a day, with all that became known up to a stage. */
export interface Moment {
  readonly day: number;
  readonly stage: number;
  /** What persons decided of the stages before this one is done. */
  readonly decided: number;
}

/** What moves an account by us, on a day. */
export interface Posting {
  readonly account: AccountName;
  readonly day: number;
  readonly row: ProofRow;
  readonly amount: bigint;
  readonly stage: number;
}

/** What a reconciliation must say of a deed that is open. */
export interface Verdict {
  readonly code: string;
  readonly sub?: string;
  /** Null: in no leg. */
  readonly leg: string | null;
  /** Null: of a record alone, in its currency. */
  readonly account: AccountName | null;
  readonly currency?: string;
  readonly reference: string | null;
  readonly ours: bigint | string | null;
  readonly theirs: bigint | string | null;
  readonly effect: bigint;
}

export interface Deed {
  readonly plant: string;
  readonly records: readonly { readonly record: OurRecord; readonly stage: number }[];
  readonly postings: readonly Posting[];
  readonly lines: readonly { readonly line: FileLine; readonly stage: number }[];
  /** What moved the account on days of which no file comes. */
  readonly unseen?: Deed['lines'];
  /** Whether a suggested match is confirmed or undone, after the first run of its stage. */
  readonly decisions?: readonly {
    readonly reference: string;
    readonly word: 'together' | 'apart';
    readonly stage: number;
  }[];
  readonly verdicts: (moment: Moment) => readonly Verdict[];
}

/** The months of every world, by their first and last day. */
export const PERIODS = [
  { name: '2026-10', first: 1, last: 31 },
  { name: '2026-11', first: 32, last: 61 },
  { name: '2026-12', first: 62, last: 92 },
] as const;

const of = (name: string, kind: AccountName['kind'], currency: string): AccountName => ({
  ...{ name, kind, currency, environment: 'test' },
});

export const WALLETS = [of('wallet-ngn', 'wallet', 'NGN'), of('wallet-usd', 'wallet', 'USD')] as const;

export const SETTLEMENTS = of('settlement-ngn', 'settlement', 'NGN');
export const BANK = of('bank-ngn', 'bank', 'NGN');
/** A bank whose files do not all come, and with which no record has to do. */
export const OTHER_BANK = of('bank-usd', 'bank', 'USD');
/** Those that have a proof: the settlement file states no balance. */
export const PROVEN: readonly AccountName[] = [...WALLETS, BANK, OTHER_BANK];

/** The stage in which what happens on a day is known in time. */
export function stageOf(day: number): number {
  return PERIODS.findIndex(({ last }) => day <= last);
}

/** What each account has before the first month. */
export const OPENING = 5_000_000_000n;
