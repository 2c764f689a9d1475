import type { JournalEntry } from '../../domain/journal/entry.ts';
import type { ClearingAccount, JournalAccount, JournalGrouping } from '../../domain/journal/words.ts';
import type { DayRange } from '../../domain/periods/period.ts';
import type { ProofRow, StatementKind } from '../../domain/statements/lines.ts';
import type { AccountNames } from './names.ts';

/*
 * What the journal of a period is made of: plain values of one environment, in minor units. No clock, no store.
 */

export interface JournalInput {
  readonly period: DayRange;
  readonly by: JournalGrouping;
  readonly names: AccountNames;
  readonly accounts: readonly StatedAccount[];
  readonly days: readonly DayMovement[];
  /** Everything that explains a difference: exceptions, timing, suggestions, and what is open from before. */
  readonly items: readonly ExplainedItem[];
  /** Exceptions whose claims were paid by the end of the period. */
  readonly paid: ReadonlySet<string>;
  /** Null: the first period of the set. */
  readonly earlier: EarlierJournal | null;
}

/** An account of statements in one currency. */
export interface StatedAccount {
  readonly account: string;
  readonly currency: string;
  readonly kind: StatementKind;
  /** Null: its statements prove no balance. */
  readonly balance: StatedBalance | null;
}

export interface StatedBalance {
  readonly openingOurs: bigint;
  readonly openingTheirs: bigint;
  readonly closingTheirs: bigint;
}

/** What moved an account on a day, in a row of the balance proof. */
export interface DayMovement {
  readonly date: string;
  readonly account: string;
  readonly currency: string;
  readonly row: ProofRow;
  /** Of `reversals`: what is taken back. */
  readonly reverses: 'collection' | 'payout' | null;
  readonly ours: bigint;
  readonly theirs: bigint;
}

/** A difference between our books and the statement, and where it goes. */
export interface ExplainedItem {
  /** The exception; of items without one, what they are followed by from period to period. */
  readonly id: string;
  readonly account: string;
  readonly currency: string;
  /** The account out of which it is posted. */
  readonly clearing: ClearingAccount;
  /** Closing by the statement, less closing by us. */
  readonly effect: bigint;
  /** It is open from before the period. */
  readonly isEarlier: boolean;
  /** Where it goes; null: it is carried, and brought back on the first day of the next period. */
  readonly target: ItemTarget | null;
  readonly text: string;
  readonly reference: string | null;
}

/** An account of the map, or the one that a reason code names. */
export type ItemTarget = { readonly role: JournalAccount } | { readonly name: string };

/** What earlier periods of the set left. */
export interface EarlierJournal {
  /** Closing balances by the statement, of the period that ends the day before. */
  readonly closings: readonly { readonly account: string; readonly currency: string; readonly theirs: bigint }[];
  /** SystemState entries of the period that ends the day before. */
  readonly last: readonly JournalEntry[];
  /** SystemState entries of every earlier period, that one included. */
  readonly all: readonly JournalEntry[];
}
