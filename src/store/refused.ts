import type { Likeness } from '../domain/refusals/refused-run.ts';
import type { RefusedSpan } from '../domain/refusals/refused-span.ts';
import type { Count, Page } from './records.ts';
import type { ReceiverProcess } from './system-state.ts';

/* The part of the port that reads when requests were refused, and when processes received. */

export interface RefusedFilter {
  /** Spans of which a part is not before, or before. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  /** Of each list, one of these. */
  readonly reasons?: readonly string[];
  readonly likenesses?: readonly Likeness[];
}

export interface KeptSpan extends RefusedSpan {
  readonly id: number;
}

/** The read side; part of `Archive`. */
export interface RefusedArchive {
  readonly refusedSpans: (filter: RefusedFilter, page: Page) => Promise<KeptSpan[]>;
  readonly countRefusedSpans: (filter: RefusedFilter) => Promise<Count>;
  /** The latest processes, the oldest first. */
  readonly receiverTimes: () => Promise<ReceiverProcess[]>;
}
