import type { Posting } from '../../domain/matching/postings.ts';
import type { Terms } from '../../domain/matching/terms.ts';
import type { Pass } from '../../domain/rules.ts';
import type { Scratch } from '../../store/scratch/scratch.ts';
import type { Item } from '../item.ts';
import type { Books } from './book.ts';
import type { Sides } from './sides.ts';

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
}

/** What one run computes with, and what it has found so far. */
export interface MatchRun {
  readonly scratch: Scratch;
  readonly window: Window;
  readonly books: Books;
  readonly sides: readonly Sides[];
  /** By their numbers of this run. */
  readonly legNames: readonly string[];
  readonly termsOf: (sides: Sides, until: string) => Terms;
  /** Accounts whose opening balance is ours; of the others the statement's own stands for both. */
  readonly hasOwnOpening: (account: string, currency: string) => boolean;
  /** Payouts that repeat another one, by record. */
  readonly copies: ReadonlyMap<number, Item>;
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
  /** Rows of ours of the period with a confirmed match, by the name of the leg. */
  readonly matched: Map<string, number>;
  /** Rows of ours that no statement could show, by leg. */
  readonly noStatement: Map<string, number>;
  readonly matches: FoundMatch[];
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
    matched: new Map(),
    noStatement: new Map(),
    matches: [],
    copiesPlaced: new Set(),
  };
}

export function countIn(counts: Map<string, number>, name: string, more = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + more);
}

/** Days of postings that lie in the period. */
export function isActive(postings: readonly Posting[], { from, until }: Window): boolean {
  return postings.some(({ day }) => day >= from && day <= until);
}
