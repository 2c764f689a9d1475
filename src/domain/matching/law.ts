import type { Posting } from './postings.ts';
import { sumByRow } from './residual.ts';

/*
 * Law 1 (docs/matching.md, Laws): a group is judged at the end of the period and at the end of the day before it, its eve, both with what is
 * known today. What it is to the period follows from the two, and from what the last close knew.
 */

/** What both sides moved of a group in one book, up to the end of a day. */
export interface BothSides {
  readonly ours: readonly Posting[];
  readonly theirs: readonly Posting[];
}

/** What a group moved in one book up to the last day, and up to the eve by what the close knew. */
export interface Moved {
  readonly now: BothSides;
  readonly eve: BothSides;
}

export interface AtTwoDates {
  /** The first day of the period. */
  readonly from: string;
  /** In each of its books. */
  readonly moved: Iterable<Moved>;
  /** Whether something was to be said of it at the end of the eve, and is at the end of the period. */
  readonly wasOpen: boolean;
  readonly isOpen: boolean;
  /** Something of it became known after the close of its days, or its residual at the eve is not the one that the close froze. */
  readonly isLate: boolean;
}

/**
 * What a group is to the period. `late`: the closed period did not know it so, and it posts on the first open day. `past`: it agreed
 * before the period, and nothing of it is of the period.
 */
export type Change = 'late' | 'past' | 'agrees' | 'new' | 'carried' | 'settled' | 'changed';

/** The table of law 1. */
export function changeOf({ from, moved, wasOpen, isOpen, isLate }: AtTwoDates): Change {
  if (isLate) return 'late';
  if (!wasOpen && isOpen) return 'new';
  if (wasOpen && !isOpen) return 'settled';
  if (wasOpen) return [...moved].every(isSame) ? 'carried' : 'changed';
  return [...moved].some(({ now }) => [...now.ours, ...now.theirs].some(({ day }) => day >= from)) ? 'agrees' : 'past';
}

/** Whether the period has something of the group; else what it has is of the days before. */
export function isOfPeriod(change: Change): boolean {
  return change !== 'past' && change !== 'carried';
}

/**
 * Whether each side moved the same up to both dates, row by row of the proof. A refund that is held on the eve and paid in the period
 * changed, although without any line its residual is the same.
 */
function isSame({ now, eve }: Moved): boolean {
  const isSameOf = (side: keyof BothSides) => Object.keys(sumByRow([1n, now[side]], [-1n, eve[side]])).length === 0;
  return isSameOf('ours') && isSameOf('theirs');
}
