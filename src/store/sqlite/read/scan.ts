import { setImmediate as nextTurn } from 'node:timers/promises';
import { DAY_MS } from '../../../time/clock.ts';
import type { Count, Page as PortPage } from '../../records.ts';

/** With the last id of a walk's stretch. */
export interface Page extends PortPage {
  readonly untilId?: number;
}

/**
 * Most ids read by one statement. A filter that matches little would otherwise hold one old state of the database, and with
 * it the write-ahead log, until everything is read (RELIABILITY 1.5).
 */
const WINDOW = 20_000;

/** A range of ids, both ends included. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
}

/** A page of a table ordered by id, read window by window. `read` returns rows in the page's order; `window`: ids of one statement. */
export async function scan<Row>(
  all: IdRange,
  page: Page,
  read: (range: IdRange, limit: number) => Row[],
  window = WINDOW,
): Promise<Row[]> {
  const { order, limit } = page;
  const newest = order === 'newest';
  const { first, last } = pageRange(all, page);
  const rows: Row[] = [];
  for (let done = 0; done <= last - first && rows.length < limit; done += window) {
    if (done > 0) await nextTurn();
    const range = newest
      ? { first: Math.max(first, last - done - window + 1), last: last - done }
      : { first: first + done, last: Math.min(last, first + done + window - 1) };
    rows.push(...read(range, limit - rows.length));
  }
  return rows;
}

/** Most ids looked at to count rows: 0.5 s of events with their bodies. Beyond it a list says that there are more. */
const MOST_COUNTED = 500_000;

/** Counts all rows of a table, whose last id is `last`, by an index and in one statement; null when there are too many ids. */
export function countAll(last: number, count: () => number): Count {
  return last > MOST_COUNTED ? null : count();
}

/** Counts the rows of a table ordered by id, window by window; null when there are more than `most` ids. */
export async function countRows(
  { first, last }: IdRange,
  countIn: (range: IdRange) => number,
  most = MOST_COUNTED,
): Promise<Count> {
  if (last - first >= most) return null;
  let count = 0;
  for (let start = first; start <= last; start += WINDOW) {
    if (start > first) await nextTurn();
    count += countIn({ first: start, last: Math.min(last, start + WINDOW - 1) });
  }
  return count;
}

/** The ids that a page may contain. */
export function pageRange(
  { first, last }: IdRange,
  { afterId, untilId = last, order, most = Number.POSITIVE_INFINITY }: Page,
): IdRange {
  const end = Math.min(last, untilId);
  if (order === 'oldest') {
    const begin = Math.max(first, (afterId ?? 0) + 1);
    return { first: begin, last: Math.min(end, begin + most - 1) };
  }
  const newest = Math.min(end, (afterId ?? Number.POSITIVE_INFINITY) - 1);
  return { first: Math.max(first, newest - most + 1), last: newest };
}

/** Ids per statement while searching for the first one since a time. */
const STEP = 10_000;
/** The receiver's clock may have been set back, but not by this much for STEP events in a row. */
const CLOCK_SLACK_MS = DAY_MS;

/** An id below which nothing was received since `sinceMs`, searched from the newest end, where it usually is. */
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
 * The first id at `timeMs` or later, by binary search; only near it where a clock was set back. `timeAt` returns the time
 * of the first row at or beyond an id; null without one.
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

/** A limit as the engine takes it: a list without one has every row. */
export function finite(limit: number): number {
  return Number.isFinite(limit) ? limit : -1;
}
