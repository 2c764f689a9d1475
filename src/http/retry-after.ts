import { DAY_MS } from '../time/clock.ts';

/** Upper bound of a Retry-After that is reported, 366 days. */
const LONGEST_RETRY_AFTER_MS = 366 * DAY_MS;

/** Returns the wait of a Retry-After header, in seconds or as an HTTP date; null without a valid one. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,10}$/.test(header.trim())) return Math.min(Number(header) * 1000, LONGEST_RETRY_AFTER_MS);
  // An HTTP date starts with its weekday: `Date.parse` alone would read "1.5" as a date in the past.
  const ms = /^\s*[A-Za-z]{3}/.test(header) ? Date.parse(header) - nowMs : Number.NaN;
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), LONGEST_RETRY_AFTER_MS);
}
