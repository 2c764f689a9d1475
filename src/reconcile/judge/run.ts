import type { BookName, Books } from '../../domain/matching/book.ts';
import type { Terms } from '../../domain/matching/terms.ts';
import type { Item } from '../../domain/reconciling/break.ts';
import type { Pass } from '../../domain/reconciling/rules.ts';
import type { Members } from '../load/bases.ts';
import type { Loaded } from '../load/load.ts';
import type { Sides } from '../load/sides.ts';
import type { Twins } from '../witnesses/duplicates.ts';
import type { DailyBatches } from './daily-batches.ts';
import type { EarlyLine } from './early-lines.ts';
import type { Invoices } from './invoices.ts';
import { MatchCounts } from './match-counts.ts';
import type { UncomparedLines } from './uncompared.ts';

/** What one run computes with, and what it has found so far. */
export interface MatchRun extends Loaded {
  readonly books: Books;
  /** By their numbers of this run. */
  readonly legNames: readonly string[];
  readonly termsOf: (sides: Sides, until: string) => Terms;
  /** Settlement lines that name no batch. */
  readonly daily: DailyBatches;
  /** Fees that are charged in lines of their own. */
  readonly invoices: Invoices;
  /** Lines that were compared with nothing. */
  readonly uncompared: UncomparedLines;
  /** Payouts that are the same as others, by record. */
  readonly twins: ReadonlyMap<number, Twins>;
  /** Lines that repeat a chargeback, or its end. */
  readonly chargebackCopies: Set<number>;
  /** Pairs of a line and a row of ours that a person took apart: `LINE OURS`. */
  readonly apart: ReadonlySet<string>;
  /** Of lines that a person took apart from rows of ours: the last of these rows. */
  readonly undone: ReadonlyMap<number, number>;
  readonly found: Found;
}

/** A group that stands open in a book at the end of the period: what a close of it freezes. */
export interface OpenGroup extends BookName {
  /** The name of its row of ours, else of its first line. */
  readonly key: string;
  readonly members: Members;
  /** By them less by us, by row of the proof. */
  readonly rows: Readonly<Record<string, bigint>>;
  readonly items: readonly Item[];
}

export interface Found {
  readonly groups: OpenGroup[];
  readonly breaks: Item[];
  readonly timing: Item[];
  /** Of earlier days, still open. */
  readonly carried: Item[];
  /** The same where the statement's own opening balance has it on both sides: in no balance. */
  readonly inOpening: Item[];
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
    groups: [],
    breaks: [],
    timing: [],
    carried: [],
    inOpening: [],
    suggested: [],
    unexplained: [],
    counts: new MatchCounts(),
    matches: [],
    early: [],
    copiesPlaced: new Set(),
  };
}
