import { Cron } from 'croner';

/** Number of fields: minute, hour, day of the month, month, day of the week. */
const FIELDS = 5;
const LONG_PART = /[^\s,/-]{12,}/;

/** Returns the rule that `expression` breaks, or null when it is a schedule. */
export function cronProblem(expression: string): string | null {
  if (expression.trim().split(/\s+/).length !== FIELDS) return 'must have five fields, such as 30 2 * * *';
  try {
    return calendar(expression, 'UTC').nextRun(new Date(0)) === null ? 'names a day that never comes' : null;
  } catch (error) {
    // The message quotes parts of the expression; one this long may be a secret in the wrong place.
    if (LONG_PART.test(expression)) return 'must be a cron expression such as 30 2 * * *';
    return `is not a cron expression: ${(error as Error).message.replace(/^CronPattern: /, '')}`;
  }
}

/**
 * Returns the first instant after `afterMs` that the expression names in `zone` (an IANA name), in milliseconds since
 * 1970. Pure.
 *
 * When clocks change, an expression with fixed minutes and hours (numbers, lists, ranges) has each of its times once per
 * date: a skipped time comes when the clocks jump over it, a repeated time the first time only. A skipped time has no run
 * when the jump ends on the next date, as it does in Greenland. With `*` or a step in either field the expression follows
 * the wall clock, so that a job of every minute runs through both hours.
 *
 * @throws TypeError or RangeError for what `cronProblem` refuses
 */
export function nextRun(expression: string, zone: string, afterMs: number): number {
  const next = calendar(expression, zone).nextRun(new Date(afterMs));
  if (next === null) throw new RangeError(`${expression} names a day that never comes.`);
  return next.getTime();
}

/** Paused: this Cron computes times and never runs a job. */
function calendar(expression: string, timezone: string): Cron {
  return new Cron(expression, { timezone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true });
}
