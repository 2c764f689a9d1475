/* The calendar of the month: October 2026 in Lagos, UTC+1 without summer time. The 1st is a Thursday, the 31st a Saturday. */

export const FROM = '2026-10-01';
export const TO = '2026-10-31';
export const OCTOBER = { from: FROM, to: TO } as const;
const DAY_MS = 86_400_000;

/** A day of October; 32 is the first of November, 0 the last of September. */
export function october(day: number): string {
  return new Date(Date.UTC(2026, 9, day)).toISOString().slice(0, 10);
}

/** The number of a day, counted from October's first as 1. */
export function numberOf(day: string): number {
  return Math.round((Date.parse(`${day}T00:00:00Z`) - Date.UTC(2026, 8, 30)) / DAY_MS);
}

export function isBusinessDay(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6;
}

export function nextBusinessDay(day: string): string {
  let next = october(numberOf(day) + 1);
  while (!isBusinessDay(next)) next = october(numberOf(next) + 1);
  return next;
}

/** A time of that day in Lagos, as the service writes it: hours from 08:00 to 19:59 UTC. */
export function timeOn(day: string, minute: number): string {
  const ms = Date.parse(`${day}T08:00:00Z`) + (minute % 720) * 60_000;
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

export function isInMonth(day: string): boolean {
  return FROM <= day && day <= TO;
}
