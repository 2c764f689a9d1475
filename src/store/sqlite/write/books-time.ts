import { booksMs } from '../../../domain/periods/books-time.ts';
import type { Timed } from '../../../time/clock.ts';
import type { Database } from '../engine/database.ts';
import { LAST_AS_AT } from '../rows/runs.ts';

/** The time of a write, by which its leases, persons' proofs and its entry in the audit go, and the time at which the books learn what it says. */
export interface Dated extends Timed {
  readonly learntMs: number;
}

export interface BooksTime extends Dated {
  /** The same, kept with each observation once there was a run: the time of its source may lie before that run. Null: there was none. */
  readonly observedMs: number | null;
}

export type TimeAt = (nowMs: number) => BooksTime;

/**
 * Dates what the books learn, so that whether a run knew something is told by its time alone. Leases, due times and times of receipt stay
 * those of the clock.
 */
export function booksTime(database: Database): TimeAt {
  const lastAsAt = database.prepare<[], number | null>(LAST_AS_AT).pluck();
  return (nowMs) => {
    const lastAsAtMs = lastAsAt.get() ?? null;
    const learntMs = booksMs(nowMs, lastAsAtMs);
    return { nowMs, learntMs, observedMs: lastAsAtMs === null ? null : learntMs };
  };
}
