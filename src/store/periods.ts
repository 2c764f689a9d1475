import type { Environment } from '../domain/environment.ts';
import type { RefusedAct } from '../domain/periods/acts.ts';
import type { DayRange, PeriodSet, PeriodState } from '../domain/periods/period.ts';
import type { ClosingActs } from '../domain/periods/since.ts';
import type { News } from '../domain/periods/stale.ts';
import type { JournalOrder } from './journal.ts';
import type { RunSummary } from './runs.ts';

/*
 * The part of the port for periods. Each act is one transaction, with its entry in the audit: a period is closed or it is not,
 * never half. An act that its state, its order or the person forbids is answered, not thrown. Times are milliseconds since
 * 1970, by the store's own clock.
 */

/** What an account closed with, in minor units. */
export interface ClosingBalance {
  readonly account: string;
  readonly currency: string;
  readonly ours: bigint;
  readonly theirs: bigint;
}

/** How far something knew the books: what came later is none of it. */
export interface Known {
  /** The last entry of the log that was carried out. */
  readonly carriedOut: number;
  readonly asAtMs: number;
}

/** How two closings of a period differ. A missing value is null. */
export interface PeriodChange {
  /** Such as `proof[NGN wallet-main].rows[collections].ours`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface CloseOrder extends DayRange {
  readonly set: PeriodSet;
  readonly period: string;
  /** The number that this closing gets: 1 for the first. Another one is refused: it was closed meanwhile. */
  readonly closing: number;
  /** The run whose figures are frozen. Refused when a row came after it. */
  readonly run: number;
  /** Until when `newsSince` found no news of its records: the close looks at those behind it. */
  readonly checkedUntil: Known;
  /** The end of its days. */
  readonly beforeMs: number;
  /** The bytes of `report period --format json`. */
  readonly report: string;
  readonly balances: readonly ClosingBalance[];
  /** Null: it is the first closing. */
  readonly changes: readonly PeriodChange[] | null;
  /** What this closing adds to the journal of the period. */
  readonly journal: Pick<JournalOrder, 'by' | 'entries'>;
  readonly by: string;
  /** As the report says it. */
  readonly closedAtMs: number;
}

export interface PeriodActOrder extends DayRange {
  readonly set: string;
  readonly period: string;
  readonly by: string;
}

/** A signature under a closing. */
export interface SignOrder extends PeriodActOrder {
  /** Of the closing that this person looked at: another one is refused. */
  readonly digest: string;
}

export type PeriodResult =
  /** `head` is that of the audit after this act, `SEQ:HASH`. */
  { readonly outcome: 'done'; readonly head: string } | ({ readonly outcome: 'refused' } & RefusedAct);

/** One group of the operations. */
export interface Periods {
  readonly close: (order: CloseOrder) => Promise<PeriodResult>;
  /** Refused for the preparer of this closing. */
  readonly approve: (order: SignOrder) => Promise<PeriodResult>;
  readonly lock: (order: SignOrder) => Promise<PeriodResult>;
  readonly reopen: (order: PeriodActOrder & { readonly reason: string }) => Promise<PeriodResult>;
}

/** One closing of a period, without its frozen bytes. */
export interface Closing extends ClosingActs {
  readonly closing: number;
  readonly run: number;
  /** What became known later is not in its figures. */
  readonly asAtMs: number;
  /** Why it was opened again. */
  readonly reason: string | null;
  /** sha256 of the frozen bytes. */
  readonly digest: string;
  /** When the frozen bytes were erased; null: they are there. */
  readonly erasedAtMs: number | null;
  readonly changes: readonly PeriodChange[] | null;
}

/** A period that was closed at least once. */
export interface KeptPeriod extends DayRange {
  readonly set: PeriodSet;
  readonly period: string;
  readonly state: PeriodState;
  /** The first one first. */
  readonly closings: readonly Closing[];
  /** The audit's entry of the latest act, `SEQ:HASH`; null: the audit was lost. */
  readonly head: string | null;
}

/** Days that no run may change any more: what is dated in them and became known later is late. */
export interface ClosedPeriod extends DayRange {
  readonly set: string;
  readonly period: string;
  readonly environment: Environment;
  /** Null: all of the environment. */
  readonly accounts: readonly string[] | null;
  readonly run: number;
  /** What became known later is late: the as-at time of the frozen run. The books date all that comes after the run later. */
  readonly closedAtMs: number;
  /** When it was closed: what was decided until then does not come back. */
  readonly decidedUntilMs: number;
  readonly balances: readonly ClosingBalance[];
}

/** What is asked about a run: its days, and the accounts of a set. */
export interface NewsOrder {
  readonly run: number;
  readonly environment: Environment;
  readonly accounts: readonly string[] | null;
  /** The end of its days: a record that began later is none of theirs. */
  readonly beforeMs: number;
  /** Most changed records to look at: beyond it `News.records` is null. Missing: all. */
  readonly most?: number;
}

/** Exactly these days of an environment, cut in this way. */
export interface RunDays extends DayRange {
  readonly environment: Environment;
  readonly zone: string;
  readonly cutOffMinutes: number;
}

/** Something of a closed period that changed after it was closed. */
export interface SinceClose {
  /** Such as `collection reversed`, `statement line`, `refund pruned`. */
  readonly what: string;
  readonly reference: string | null;
  readonly atMs: number;
}

export interface SinceOrder {
  readonly environment: Environment;
  readonly accounts: readonly string[] | null;
  readonly from: string;
  readonly to: string;
  /** The same days as instants. */
  readonly fromMs: number;
  readonly beforeMs: number;
  readonly sinceMs: number;
  readonly limit: number;
}

/** The read side; part of `Archive`. */
export interface PeriodArchive {
  /** Those that were closed at least once, by set and day; `set` missing: of every set. */
  readonly periods: (filter: { readonly set?: string }) => Promise<readonly KeptPeriod[]>;
  readonly period: (set: string, period: string) => Promise<KeptPeriod | null>;
  /** The frozen bytes of a closing; null: there is none, or they were erased. */
  readonly frozen: (order: {
    readonly set: string;
    readonly period: string;
    readonly closing: number;
  }) => Promise<string | null>;
  /** The periods that are closed now, by set and day. */
  readonly closedPeriods: () => Promise<readonly ClosedPeriod[]>;
  /** The last whole run of exactly these days, of all records and accounts; null: there is none. */
  readonly runOfDays: (days: RunDays) => Promise<RunSummary | null>;
  readonly newsSince: (order: NewsOrder) => Promise<{ readonly news: News; readonly until: Known }>;
  readonly sinceClose: (order: SinceOrder) => Promise<readonly SinceClose[]>;
}

/** What the last run of an environment could not explain of an account. */
export interface Unexplained extends DayRange {
  readonly environment: Environment;
  readonly account: string;
  readonly currency: string;
  /** Decimal text, never 0.00. */
  readonly amount: string;
}

/** Until which day the statements of an account reach. */
export interface LastStatement {
  readonly environment: Environment;
  readonly account: string;
  readonly until: string;
  readonly statements: number;
}

/** What alerts about the books are judged by; part of `Archive`. */
export interface BookArchive {
  readonly unexplained: () => Promise<readonly Unexplained[]>;
  readonly lastStatements: () => Promise<readonly LastStatement[]>;
}
