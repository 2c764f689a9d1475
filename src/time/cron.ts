import { Cron } from 'croner';
import { changeBetween, firstReached, instantsOf, wallAt } from './wall-clock.ts';

/*
 * croner parses expressions and computes the calendar in UTC only, where every day has 24 hours. Changes of the clocks
 * are handled here: the libraries differ, and each fails in some zone (a job at 23:00 in Nuuk, where the hour before
 * midnight is skipped; any job in Lord Howe, whose clocks change by half an hour).
 */

/** Number of fields: minute, hour, day of the month, month, day of the week. */
const FIELDS = 5;

/** Returns the rule that `expression` breaks, or null when it is a schedule. */
export function cronProblem(expression: string): string | null {
  if (fieldsOf(expression).length !== FIELDS) return 'must have five fields, such as 30 2 * * *';
  try {
    const times = calendar(expression);
    return times.nextRun(new Date(0)) === null ? 'names a day that never comes' : null;
  } catch (error) {
    return `is not a cron expression: ${(error as Error).message.replace(/^CronPattern: /, '')}`;
  }
}

/**
 * Returns the first instant after `afterMs` that the expression names in `zone` (an IANA name), in milliseconds since
 * 1970. Pure.
 *
 * When clocks change, an expression with fixed minutes and hours (numbers, lists, ranges) has each of its times once per
 * date: a skipped time comes when the clocks jump over it, a repeated time the first time only. With `*` or a step in
 * either field it follows the wall clock, so that a job of every minute runs through both hours.
 *
 * @throws TypeError or RangeError for what `cronProblem` refuses
 */
export function nextRun(expression: string, zone: string, afterMs: number): number {
  const times = calendar(expression);
  const nextWall = (wallMs: number): number => {
    const next = times.nextRun(new Date(wallMs));
    if (next === null) throw new RangeError(`${expression} names a day that never comes.`);
    return next.getTime();
  };
  const [minute = '', hour = ''] = fieldsOf(expression);
  const isFixed = !/[*?/]/.test(minute + hour);
  return isFixed ? nextFixed(nextWall, zone, afterMs) : nextByWallClock(nextWall, zone, afterMs);
}

type NextWall = (wallMs: number) => number;

function nextFixed(nextWall: NextWall, zone: string, afterMs: number): number {
  for (let wallMs = nextWall(wallAt(afterMs, zone)); ; wallMs = nextWall(wallMs)) {
    const reachedMs = firstReached(wallMs, zone);
    if (reachedMs > afterMs) return reachedMs;
  }
}

function nextByWallClock(nextWall: NextWall, zone: string, afterMs: number): number {
  const fromMs = repeatedFrom(zone, afterMs);
  const later = instantAfter(afterMs, nextWall, wallAt(afterMs, zone), zone);
  // Also search the hour that the clocks repeat.
  return fromMs === null ? later : Math.min(later, instantAfter(fromMs - 1, nextWall, wallAt(fromMs, zone) - 1, zone));
}

function instantAfter(afterMs: number, nextWall: NextWall, fromWallMs: number, zone: string): number {
  for (let wallMs = nextWall(fromWallMs); ; wallMs = nextWall(wallMs)) {
    const instant = instantsOf(wallMs, zone).find((one) => one > afterMs);
    if (instant !== undefined) return instant;
  }
}

/** Returns when clocks go back to the time they show now, or earlier; null when they do not. */
function repeatedFrom(zone: string, atMs: number): number | null {
  const wholeMs = Math.floor(atMs / 1_000) * 1_000;
  const again = instantsOf(wallAt(wholeMs, zone), zone).find((one) => one > wholeMs);
  return again === undefined ? null : changeBetween(wholeMs, again, zone);
}

function fieldsOf(expression: string): string[] {
  return expression.trim().split(/\s+/);
}

/** Paused: this Cron computes times and never runs a job. */
function calendar(expression: string): Cron {
  return new Cron(expression, { timezone: 'UTC', mode: '5-part', paused: true });
}
