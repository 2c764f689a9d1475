import type { Environment } from '../../domain/environment.ts';
import type { ProofRow } from '../../domain/statements/lines.ts';
import type { WithText } from '../audit/shown.ts';
import type { CountedDay } from '../judge/match-counts.ts';
import type { Uncompared } from '../judge/uncompared.ts';
import type { BatchInTransit } from '../period/batches-in-transit.ts';
import type { InTransit, InTransitOn } from '../period/in-transit.ts';
import type { AtRisk } from '../period/value-at-risk.ts';
import type { Reserve } from '../witnesses/reserves.ts';
import type { ReportCarried } from './model-carried.ts';
import type { ReportExceptions, ReportedException } from './model-exceptions.ts';
import type { ControlTotal, ReportDigests, ReportFees } from './model-papers.ts';

export type * from './model-carried.ts';
export type * from './model-exceptions.ts';
export type * from './model-papers.ts';

/*
 * What every rendering of a report shows (docs/cli.md names each field). Amounts are exact decimal text with two decimals, days
 * `yyyy-MM-dd`, instants ISO 8601 in UTC. It is made from what a run kept and from how its exceptions stand, reads no clock and
 * names no row of the database, so that the same inputs give the same bytes. Every list is in a stable order.
 */

/** A run over a whole month is a `month`, over other days a `period`; `run` is one run as it found things. */
export type ReportKind = 'run' | 'month' | 'period';

export interface Report {
  readonly report: ReportKind;
  /** `2026-10`, or `2026-10-05..2026-10-11`. */
  readonly period: string;
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  /** When a day ends: `24:00`. */
  readonly cutOff: string;
  /** The account set; null: a run, which knows none. */
  readonly set: string | null;
  /** Null: both, each on lines of its own. */
  readonly environment: Environment | null;
  /** What the run knew: nothing later counts. */
  readonly asAt: string;
  readonly proof: readonly ReportProof[];
  readonly inTransit: ReportTransit;
  readonly reserved: readonly ReportReserve[];
  readonly fees: ReportFees;
  readonly exceptions: ReportExceptions;
  readonly carried: ReportCarried;
  /** What is no exception: not due yet, to be confirmed, or open since before the period. */
  readonly waiting: readonly ReportWaiting[];
  /** The money of records with a break, each record once. */
  readonly atRisk: readonly ReportRisk[];
  readonly matchRate: ReportMatches;
  /** Lines that were compared with nothing: they are no breaks. */
  readonly uncompared: readonly ReportUncompared[];
  /** What came late, for a period that was closed. */
  readonly late: readonly ReportLate[];
  readonly prepared: Signature | null;
  /** Null in the bytes that a closing freezes: it comes after them. */
  readonly approved: Signature | null;
  readonly digests: ReportDigests;
  /** To hold against other papers: last on every page. */
  readonly controlTotals: readonly ControlTotal[];
}

/** The parts of a report that a table is made of. */
export type Of<Part extends keyof Report> = Pick<Report, Part | 'environment'>;

export interface Signature {
  readonly who: string;
  readonly at: string;
}

/** Opening and movements make the closing balance, by us and by the statement. */
export interface ReportProof {
  readonly environment: Environment;
  readonly account: string;
  readonly currency: string;
  /** False: no statement states a balance, and both begin at 0.00. */
  readonly isBalanceStated: boolean;
  /** The days that the statements cover, from the first to the last. */
  readonly covers: { readonly from: string; readonly to: string };
  readonly rows: readonly ReportProofRow[];
  /** What the difference of the closing balances is made of; together with `unexplained` it is all of it. */
  readonly explained: readonly ReportExplained[];
  readonly unexplained: string;
}

export interface ReportProofRow {
  readonly name: ProofRow | 'opening' | 'closing';
  readonly ours: string;
  readonly theirs: string;
  /** theirs − ours. */
  readonly difference: string;
}

export const EXPLANATIONS = ['exceptions', 'timing', 'suggested', 'carried'] as const;
export type Explanation = (typeof EXPLANATIONS)[number];

export interface ReportExplained {
  readonly by: Explanation;
  readonly count: number;
  readonly effect: string;
}

/** Collected, and not yet paid out to the bank. */
export interface ReportTransit {
  /** At the end of the period, by days since the collection. */
  readonly byAge: readonly WithText<InTransit>[];
  /** What was on its way at the end of each day. */
  readonly byDay: readonly WithText<InTransitOn>[];
  readonly batches: readonly WithText<BatchInTransit>[];
}

/** What the service holds for refunds at the end of the period. */
export type ReportReserve = WithText<Reserve>;
export type ReportRisk = WithText<AtRisk>;
export type ReportUncompared = WithText<Uncompared>;

export interface ReportWaiting {
  readonly list: Exclude<Explanation, 'exceptions'> | 'not_confirmed' | 'unexplained';
  readonly environment: Environment;
  /** Null: it moves no balance. */
  readonly account: string | null;
  readonly currency: string | null;
  readonly count: number;
  readonly effect: string;
}

export interface ReportMatches {
  readonly legs: readonly ReportLeg[];
  /** Every day of the period, of each leg with something due on any day. */
  readonly byDay: readonly {
    readonly environment: Environment;
    readonly leg: string;
    readonly date: string;
    readonly matched: number;
    readonly unmatched: number;
    /** Null: nothing was due. */
    readonly rate: string | null;
  }[];
}

/** What is not due, and what no statement covers, is in no rate. */
export interface ReportLeg extends Omit<CountedDay, 'date'> {
  /** Per cent of matched and unmatched, two decimals, rounded down: `99.98`; null: there is neither. */
  readonly rate: string | null;
}

/** `effect`: 0.00 of an account without a balance proof. */
export type ReportLate = Omit<ReportWaiting, 'list'>;

/** How the period of a frozen report stands: shown beside the report, and no part of its bytes. */
export interface PeriodSignOff {
  readonly state: 'open' | 'closed' | 'approved' | 'locked';
  /** The number of the closing, from 1. */
  readonly closing: number;
  /** sha256 of the frozen bytes: of `report period --format json`. */
  readonly digest: string;
  /** The head of the audit log at the closing, `SEQ:HASH`. */
  readonly head: string | null;
  readonly approved: Signature | null;
  readonly sinceClose: readonly { readonly what: string; readonly reference: string | null; readonly at: string }[];
}

/** A report with all that its renderings show. */
export interface ShownReport {
  readonly report: Report;
  /** Null: not closed. */
  readonly signOff: PeriodSignOff | null;
  /** In the order of exports: account, currency, code, date, reference, id. May be read several times. */
  readonly exceptions: () => AsyncIterable<ReportedException>;
  /** Those behind `carried.items`, in their order. May be read several times. */
  readonly carried: () => AsyncIterable<ReportedException>;
}
