import { isSeen, type SeenMark } from '../store/seen.ts';
import { type ListColumn, status } from './column.ts';

// What is new in lists that persons look through.

/** `new`, or who has seen it. `at`: when a row came, or came last. */
export function seenColumn<Row>(mark: SeenMark | null, at: (row: Row) => number): ListColumn<Row> {
  return status('Seen', (row) => (isSeen(mark, at(row)) ? `by ${mark?.by}` : 'new'), {
    mark: (row) => (isSeen(mark, at(row)) ? 'quiet' : 'warn'),
    leaveOut: 5,
  });
}

/** How far the list was looked through. */
export function seenText(mark: SeenMark | null, time: (ms: number) => string): string {
  if (mark === null) return 'No person has looked through this yet.';
  return `${mark.by} looked through it at ${time(mark.atMs)}: what came after ${time(mark.upToMs)} is new.`;
}
