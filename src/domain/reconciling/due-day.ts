import { type BusinessDays, dayPlus } from './business-day.ts';
import type { Leg, Term } from './rules.ts';

/** The days of a run, and those of them without business. */
export interface DueCalendar {
  readonly days: BusinessDays;
  /** `yyyy-MM-dd`, beside Saturday and Sunday. */
  readonly holidays: ReadonlySet<string>;
}

/** When a row began to wait. */
export interface Start {
  readonly day: string;
  /** Null: only the day is known. */
  readonly atMs: number | null;
}

/** Until when a row must have its counterpart. */
export interface Due {
  /** The last day on which the counterpart is in time. */
  readonly day: string;
  /** The first instant at which it is late: for business days the end of `day`. */
  readonly endMs: number;
}

const HOUR_MS = 3_600_000;

/**
 * Returns the due day of a row by its term. Business days are counted after the day of the row: with 1, a row of Friday, Saturday or
 * Sunday is due at the end of Monday; with 0, at the end of its own day, or of the next business day. Hours run from the instant;
 * where only the day is known, from its end. Remembers the days that it has counted. Pure.
 */
export function dueDays({ days, holidays }: DueCalendar): (start: Start, term: Term) => Due {
  const known = new Map<string, Due>();
  return (start, term) => {
    if ('hour' in term) {
      const endMs = (start.atMs ?? days.startOf(dayPlus(start.day, 1))) + term.hour * HOUR_MS;
      // What ends at a cut-off ends on the day before it.
      return { day: days.dayOf(endMs - 1), endMs };
    }
    const name = `${start.day} ${term.business_day}`;
    const found = known.get(name);
    if (found !== undefined) return found;
    const day = businessDayAfter(start.day, term.business_day, holidays);
    const due = { day, endMs: days.startOf(dayPlus(day, 1)) };
    known.set(name, due);
    return due;
  };
}

/** Returns how long the counterpart of a row in this status may take; null: the row has no status. */
export function termOf({ due }: Pick<Leg, 'due'>, status: string | null): Term {
  // The service may send any text as a status, "constructor" too.
  const own = status !== null && Object.hasOwn(due.statuses, status) ? due.statuses[status] : undefined;
  return own ?? due.default;
}

/** Whether the counterpart of a row is late, judged at this instant: then it is missing, before it is a matter of time. */
export function isDue({ endMs }: Due, judgedAtMs: number): boolean {
  return judgedAtMs >= endMs;
}

/** Returns the nth business day after a day; for 0 the day itself, or the next business day. */
export function businessDayAfter(day: string, count: number, holidays: ReadonlySet<string>): string {
  let current = count === 0 ? day : dayPlus(day, 1);
  for (let left = count; ; current = dayPlus(current, 1)) {
    if (!isBusinessDay(current, holidays)) continue;
    left--;
    if (left <= 0) return current;
  }
}

/** Whether a day is Monday to Friday, and no holiday. */
export function isBusinessDay(day: string, holidays: ReadonlySet<string>): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !holidays.has(day);
}
