import { refuseControl } from '../wire/refusal.ts';

/** Day and time of a stamp of the books, in the zone of a statement. */
export interface LocalTime {
  readonly date: string;
  readonly time: string;
}

/** Returns the function that reads stamps in `zone`. Throws 422 for a name that is no time zone. */
export function localTimes(zone: string): (stamp: string) => LocalTime {
  const format = formatter(zone);
  return (stamp) => {
    // sv-SE writes `2026-03-01 09:00:00`
    const [date = '', time = ''] = format.format(Date.parse(stamp)).split(' ');
    return { date, time };
  };
}

function formatter(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
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
