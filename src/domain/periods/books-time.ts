/**
 * The time at which the books learn something, and the as-at time of a run that is to know all of them: that of the clock, but later than
 * the as-at time of every run. So what a run did not know is dated after it, also where a clock was set back or that of another machine is
 * behind. `lastAsAtMs`: the latest as-at time of a run; null: there was none.
 */
export function booksMs(nowMs: number, lastAsAtMs: number | null): number {
  return lastAsAtMs === null ? nowMs : Math.max(nowMs, lastAsAtMs + 1);
}
