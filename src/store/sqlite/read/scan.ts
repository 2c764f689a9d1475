import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Page } from '../../records.ts';

/**
 * Ids read by one statement at most. A filter that matches little would otherwise hold one old state of the database,
 * and with it the write-ahead log, for as long as it takes to read everything (RELIABILITY 1.5).
 */
const WINDOW = 20_000;

/** Both ends belong to it. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
}

/** Fills a page from a table ordered by id, window by window. `read` answers in the page's own order. */
export async function scan<Row>(
  all: IdRange,
  page: Page,
  read: (range: IdRange, limit: number) => Row[],
): Promise<Row[]> {
  const { order, limit } = page;
  const newest = order === 'newest';
  const { first, last } = pageRange(all, page);
  const rows: Row[] = [];
  for (let done = 0; done <= last - first && rows.length < limit; done += WINDOW) {
    if (done > 0) await nextTurn();
    const range = newest
      ? { first: Math.max(first, last - done - WINDOW + 1), last: last - done }
      : { first: first + done, last: Math.min(last, first + done + WINDOW - 1) };
    rows.push(...read(range, limit - rows.length));
  }
  return rows;
}

/** The ids that a page may still hold. */
export function pageRange({ first, last }: IdRange, { afterId, untilId = last, order }: Page): IdRange {
  const end = Math.min(last, untilId);
  if (afterId === undefined) return { first, last: end };
  if (order === 'newest') return { first, last: Math.min(end, afterId - 1) };
  return { first: Math.max(first, afterId + 1), last: end };
}

/** Ids per look at when they were received, while searching for the first one since a time. */
const STEP = 10_000;
/** The clock of the receiver may have been set back, but not by this much for this many events in a row. */
const CLOCK_SLACK_MS = 24 * 60 * 60 * 1_000;

/** An id below which nothing was received since `sinceMs`; found from the newest end, where it usually is. */
export async function firstIdSince(
  all: IdRange,
  sinceMs: number,
  latestWithin: (range: IdRange) => number | null,
): Promise<number> {
  for (let last = all.last; last >= all.first; last -= STEP) {
    const latestMs = latestWithin({ first: last - STEP + 1, last });
    if (latestMs !== null && latestMs < sinceMs - CLOCK_SLACK_MS) return last + 1;
    await nextTurn();
  }
  return all.first;
}

/**
 * The first id that came at `timeMs` or later, where times rise with ids but for a clock that was set back: then it is
 * near. `timeAt` gives the time of the first row at or beyond an id; null where there is none.
 */
export function firstIdAt({ first, last }: IdRange, timeMs: number, timeAt: (id: number) => number | null): number {
  let [low, high] = [first, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const atMs = timeAt(middle);
    if (atMs === null || atMs >= timeMs) high = middle;
    else low = middle + 1;
  }
  return low;
}
