import { refuseControl } from '../wire/refusal.ts';

/** Day and time of a stamp of the books, in the zone of a statement. */
export interface LocalTime {
  readonly date: string;
  readonly time: string;
}

/** Lengths of `2026-03-01T09:00` and `2026-03-01T09:00:00`. */
const MINUTE_LENGTH = 16;
const SECOND_LENGTH = 19;

/** Returns the function that reads stamps in `zone`. Throws 422 for a name that is no time zone. */
export function localTimes(zone: string): (stamp: string) => LocalTime {
  const format = formatter(zone);
  let minute = '';
  let date = '';
  let hourAndMinute = '';
  return (stamp) => {
    // zones differ by whole minutes, so the entries of one minute need one reading
    if (stamp.slice(0, MINUTE_LENGTH) !== minute) {
      minute = stamp.slice(0, MINUTE_LENGTH);
      // sv-SE writes `2026-03-01 09:00`
      [date = '', hourAndMinute = ''] = format.format(Date.parse(`${minute}Z`)).split(' ');
    }
    return { date, time: hourAndMinute + stamp.slice(MINUTE_LENGTH, SECOND_LENGTH) };
  };
}

function formatter(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  } catch {
    throw refuseControl(422, `"${zone}" is not a time zone`, 'Write a name such as UTC or Africa/Lagos.');
  }
}

/** Throws 422 unless both are days of the calendar and in order. */
export function checkDays({ from, to }: { readonly from: string; readonly to: string }): void {
  for (const day of [from, to]) {
    if (!isDay(day)) throw refuseControl(422, `"${day}" is not a day`, 'Write it as 2026-03-31.');
  }
  if (from > to) throw refuseControl(422, `The first day ${from} is after the last day ${to}`, 'Exchange them.');
}

/** The day `days` after another one. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

function isDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
