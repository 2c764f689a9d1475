import { HOUR_MS } from '../../time/clock.ts';
import { type BusinessDays, dayPlus } from './business-day.ts';
import type { Leg, Term } from './rules.ts';

/** The days of a run, and those of them without business. */
export interface DueCalendar {
  readonly days: BusinessDays;
  /** `yyyy-MM-dd`, beside Saturday and Sunday. */
  readonly holidays: ReadonlySet<string>;
}

/**
 * Returns the last day on which the counterpart of a row of a day is in time, by its term. Business days are counted after the day: with 1,
 * a row of Friday, Saturday or Sunday is due on Monday; with 0, on its own day, or on the next business day. Hours run from the end of the
 * day. Remembers the days that it has counted. Pure.
 */
export function dueDays({ days, holidays }: DueCalendar): (day: string, term: Term) => string {
  const known = new Map<string, string>();
  return (start, term) => {
    const name = `${start} ${'hour' in term ? `${term.hour} h` : term.business_day}`;
    const found = known.get(name);
    if (found !== undefined) return found;
    const due =
      'hour' in term
        ? // What ends at a cut-off ends on the day before it.
          days.dayOf(days.startOf(dayPlus(start, 1)) + term.hour * HOUR_MS - 1)
        : businessDayAfter(start, term.business_day, holidays);
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
