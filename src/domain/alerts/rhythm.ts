import { DAY_MS } from '../../time/clock.ts';

/*
 * How often something arrives, kept in two numbers, so that it costs the same after one arrival and after a million.
 */

/** Sums over the gaps between arrivals; older gaps count less. */
export interface Rhythm {
  /** Sum of the gaps, in milliseconds. */
  readonly gapSum: number;
  /** Sum of their squares. */
  readonly gapSquares: number;
}

/** A gap this long ago counts about a third: nights and weekends stay part of the rhythm, last season does not. */
const MEMORY_MS = 7 * DAY_MS;

export const NO_RHYTHM: Rhythm = { gapSum: 0, gapSquares: 0 };

/** The rhythm after an arrival that came `gapMs` after the one before it. */
export function withGap({ gapSum, gapSquares }: Rhythm, gapMs: number): Rhythm {
  const gap = Math.max(0, gapMs);
  const kept = Math.exp(-gap / MEMORY_MS);
  return { gapSum: gapSum * kept + gap, gapSquares: gapSquares * kept + gap * gap };
}

/** The average length of the gap around a random moment, in milliseconds; 0 before the second arrival. */
export function usualGapMs({ gapSum, gapSquares }: Rhythm): number {
  return gapSum === 0 ? 0 : gapSquares / gapSum;
}
