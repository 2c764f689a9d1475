import type { Posting } from '../../domain/matching/postings.ts';
import type { Terms } from '../../domain/matching/terms.ts';
import type { Pass } from '../../domain/reconciling/rules.ts';
import type { Scratch } from '../../store/scratch/scratch.ts';
import type { FrozenFiles } from '../balance/frozen-files.ts';
import type { Closings } from '../closed.ts';
import type { Twins } from '../duplicates.ts';
import type { Item } from '../item.ts';
import type { BookName, Books } from './book.ts';
import type { DailyBatches } from './daily-batches.ts';
import type { EarlyLine } from './early-lines.ts';
import type { Invoices } from './invoices.ts';
import type { Late } from './late.ts';
import { MatchCounts } from './match-counts.ts';
import type { Openings } from './openings.ts';
import type { TopUpCopies } from './our-rows.ts';
import type { Sides } from './sides.ts';
import type { UncomparedLines } from './uncompared.ts';

/** The days of a run: what is reported, and from where on everything counts. */
export interface Window {
  /** The period. */
  readonly from: string;
  readonly until: string;
  /** Where our own opening balance stands, else `from`. */
  readonly begin: string;
  /** The first day that is looked at: with an opening balance of ours, what is open from before counts. */
  readonly first: string;
  /** The day before `from`. */
  readonly eve: string;
  /** The day of the as-at time. */
  readonly asAtDay: string;
}

/** What one run computes with, and what it has found so far. */
export interface MatchRun {
  readonly scratch: Scratch;
  readonly window: Window;
  readonly books: Books;
  readonly sides: readonly Sides[];
  /** Without the statements that came after the close of their account. */
  readonly sidesBefore: readonly Sides[];
  /** By their numbers of this run. */
  readonly legNames: readonly string[];
  readonly termsOf: (sides: Sides, until: string) => Terms;
  /** Accounts whose opening balance is ours; of the others the statement's own stands for both. */
  readonly hasOwnOpening: (name: BookName) => boolean;
  /** What is listed as open from before. */
  readonly openings: Openings;
  readonly closings: Closings;
  readonly frozen: FrozenFiles;
  /** The last days of accounts that were given up: no statement of later ones is expected. */
  readonly lastDays: ReadonlyMap<string, string>;
  /** What is dated in a closed period and came after its close. */
  readonly late: Late;
  /** Settlement lines that name no batch. */
  readonly daily: DailyBatches;
  /** Fees that are charged in lines of their own. */
  readonly invoices: Invoices;
  /** Lines that were compared with nothing. */
  readonly uncompared: UncomparedLines;
  /** Payouts that are the same as others, by record. */
  readonly twins: ReadonlyMap<number, Twins>;
  /** Top-ups of the wallet that repeat another one: no line is looked for. */
  readonly topUpCopies: TopUpCopies;
  /** Lines that repeat a chargeback, or its end. */
  readonly chargebackCopies: Set<number>;
  /** Pairs of a line and a row of ours that a person took apart: `LINE OURS`. */
  readonly apart: ReadonlySet<string>;
  readonly found: Found;
}

export interface Found {
  readonly breaks: Item[];
  readonly timing: Item[];
  /** Of earlier days, still open. */
  readonly carried: Item[];
  readonly suggested: Item[];
  /** Groups whose verdicts do not add up to what they moved: judged wrongly. */
  readonly unexplained: Item[];
  /** Rows of ours of the period. */
  readonly counts: MatchCounts;
  readonly matches: FoundMatch[];
  /** Lines of a period before that of their rows of ours. */
  readonly early: EarlyLine[];
  /** Copies of which a leg says that their line is missing. */
  readonly copiesPlaced: Set<number>;
}

/** A line that may belong to a row of ours. */
export interface FoundMatch {
  readonly leg: number;
  readonly line: number;
  readonly ours: number;
  readonly pass: Pass;
}

export function newFindings(): Found {
  return {
    breaks: [],
    timing: [],
    carried: [],
    suggested: [],
    unexplained: [],
    counts: new MatchCounts(),
    matches: [],
    early: [],
    copiesPlaced: new Set(),
  };
}

/** Whether a posting lies in the period. */
export function isActive(postings: readonly Posting[], window: Window): boolean {
  return postings.some(({ day }) => isDayOf(window, day));
}

/** Whether a day belongs to the period. */
export function isDayOf({ from, until }: Window, day: string): boolean {
  return day >= from && day <= until;
}
