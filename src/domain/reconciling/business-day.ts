import { DAY_MS, MINUTE_MS } from '../../time/clock.ts';
import { localToInstant, startOfDayMs } from '../../time/timestamp.ts';

/** Which instants make a day: in a time zone, up to a cut-off. */
export interface DayRule {
  /** IANA name. */
  readonly zone: string;
  /** Minutes after midnight at which a day ends; 1440 is midnight itself, 1080 is 18:00. */
  readonly cutOffMinutes: number;
}

/** The days of one rule. A day is `yyyy-MM-dd`. */
export interface BusinessDays {
  /** The day of an instant. */
  readonly dayOf: (ms: number) => string;
  /** The first millisecond of a day. */
  readonly startOf: (day: string) => number;
}

const WHOLE_DAY_MINUTES = 1_440;

/**
 * Returns the days of a rule. With a cut-off of 18:00 the day of 14 October begins at 18:00 of the day before. Every instant
 * belongs to one day, also where clocks change. Remembers what it has computed: asking a zone for its offset is slow.
 */
export function businessDays({ zone, cutOffMinutes }: DayRule): BusinessDays {
  const startOf = remembering((day: string): number => {
    if (cutOffMinutes === WHOLE_DAY_MINUTES) return startOfDayMs(day, zone) ?? Number.NaN;
    const wall = Date.parse(`${day}T00:00:00Z`) - DAY_MS + cutOffMinutes * MINUTE_MS;
    return Date.parse(localToInstant(new Date(wall).toISOString().slice(0, -'.000Z'.length), zone));
  });
  const nameOf = remembering((dayNumber: number) => new Date(dayNumber * DAY_MS).toISOString().slice(0, 10));
  return {
    startOf,
    dayOf(ms) {
      // By UTC it is this day or one beside it, as no zone is a day ahead or behind; the starts of the days decide.
      const guess = Math.floor((ms + (WHOLE_DAY_MINUTES - cutOffMinutes) * MINUTE_MS) / DAY_MS);
      if (ms < startOf(nameOf(guess))) return nameOf(guess - 1);
      return ms >= startOf(nameOf(guess + 1)) ? nameOf(guess + 1) : nameOf(guess);
    },
  };
}

function remembering<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key) as Value;
  };
}

/** Whole days between two days, 0 when the second is not later. */
export function daysBetween(earlier: string, later: string): number {
  return Math.max(0, Math.round((Date.parse(`${later}T00:00:00Z`) - Date.parse(`${earlier}T00:00:00Z`)) / DAY_MS));
}

/** The day so many days after another one, or before it when negative. */
export function dayPlus(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The first and the last day of the month of a day. */
export function monthOf(day: string): { readonly from: string; readonly to: string } {
  const from = `${day.slice(0, 7)}-01`;
  return { from, to: dayPlus(`${dayPlus(from, 31).slice(0, 7)}-01`, -1) };
}

/** Every day from the first to the last, both included. */
export function daysFrom(first: string, last: string): string[] {
  const end = Date.parse(`${last}T00:00:00Z`);
  const days: string[] = [];
  for (let ms = Date.parse(`${first}T00:00:00Z`); ms <= end; ms += DAY_MS)
    days.push(new Date(ms).toISOString().slice(0, 10));
  return days;
}

/** The first of `days` days before a day; null: the first day of the month before it. */
export function firstDayBefore(day: string, days: number | null): string {
  if (days !== null) return dayPlus(day, -days);
  const first = new Date(`${day}T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() - 1, 1);
  return first.toISOString().slice(0, 10);
}

/** Minutes after midnight at which a day ends, of a text such as `18:00` or `24:00`; null for other text, `00:00` too. */
export function cutOffMinutesIn(text: string): number | null {
  const [, hours, minutes] = /^(\d{2}):([0-5]\d)$/.exec(text) ?? [];
  const total = Number(hours) * 60 + Number(minutes);
  return total >= 1 && total <= WHOLE_DAY_MINUTES ? total : null;
}

/** `18:00`, or `24:00` for midnight at the end of the day. */
export function cutOffText(minutes: number): string {
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** Whether a text is a day that exists. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text;
}

/** Where the first of some days stands that is not before a day; the days are in order. */
export function indexFrom(days: readonly string[], day: string): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] ?? '') < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The latest of some days, of which there is one at least. */
export function latest(days: readonly string[]): string {
  return days.reduce((one, other) => (other > one ? other : one));
}
