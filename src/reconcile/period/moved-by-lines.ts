import type { BookName } from '../../domain/matching/book.ts';
import type { MatchRun } from '../judge/run.ts';

/** What the lines of one account and currency moved. Minor units. */
export interface MovedByLines extends BookName {
  readonly lines: number;
  readonly moved: bigint;
}

/** Counts and adds up the lines of the period, each once, in the order of reports. */
export function movedByLines({ books, window: { from, until } }: MatchRun): MovedByLines[] {
  const all = books.all().map((book) => ({ ...book.name, ...book.linesOf(from, until) }));
  return all.filter(({ lines }) => lines > 0);
}
