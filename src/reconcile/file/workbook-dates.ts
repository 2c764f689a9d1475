import { DAY_MS, SECOND_MS } from '../../time/clock.ts';
import type { DateCell } from './cell.ts';

/*
 * Days and times of a workbook: a number whose format shows one. The number counts days from the end of 1899, or from 1 January 1904.
 */

/** The number of 1 January 1970. */
const EPOCH_DAYS = 25_569;
/** Days from the end of 1899 to 1 January 1904. */
const DAYS_1904 = 1_462;

/** Returns the day and time that a number shows; null: it is no number, or beyond the calendar. */
export function dateOfNumber(text: string, is1904: boolean): DateCell | null {
  const days = text.trim() === '' ? Number.NaN : Number(text);
  return dateAt(Math.floor((days + (is1904 ? DAYS_1904 : 0) - EPOCH_DAYS) * DAY_MS));
}

const ISO = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Returns the day and time of a cell that has them as text, `2026-10-31T09:15:00`; null: it has none. */
export function dateOfText(text: string): DateCell | null {
  const [iso, zone] = ISO.exec(text.trim()) ?? [];
  if (iso === undefined) return null;
  return dateAt(Date.parse(iso.includes('T') && zone === undefined ? `${iso}Z` : iso));
}

/** A workbook has no zones: what its clock shows comes as if it were UTC. Seconds, because the number is a float of days. */
function dateAt(ms: number): DateCell | null {
  const shown = Math.round(ms / SECOND_MS) * SECOND_MS;
  const date = new Date(shown);
  if (Number.isNaN(date.getTime()) || shown < FIRST_MS || shown >= END_MS) return null;
  const timeMs = ((shown % DAY_MS) + DAY_MS) % DAY_MS;
  return { kind: 'date', date: date.toISOString().slice(0, 10), timeMs: timeMs === 0 ? null : timeMs };
}

/** Years of four digits; a time alone is of the day before 1900. */
const FIRST_MS = Date.UTC(1899, 11, 30);
const END_MS = Date.UTC(10_000, 0);

/** Numbers of formats that every program knows and that show a day or a time, in any language. */
export function isBuiltInDate(format: number): boolean {
  return BUILT_IN_DATES.some(([from, to]) => format >= from && format <= to);
}

const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
] as const;

/** Characters of a format; programs take 255. A longer one is no date. */
const LONGEST_FORMAT = 1_000;
const PIECE = /\\.|"[^"]*"|\[([^\][]*)\]|[.,]0{1,3}|([a-z0#?%]+)|./gs;
const ELAPSED = /^(?:s{1,2}|m{1,2}|h{1,2}|d{1,2})$/;
const PART = /^(?:s{1,2}|m{1,5}|h{1,2}|am|pm|a|p|d{1,4}|a{3,5}|yy|y|yyyy|e|ee|eeee)$/;

/** Whether a number format of the workbook's own shows a day or a time: every word of one of its sections is a part of one. */
export function isDateFormat(format: string): boolean {
  if (format.length > LONGEST_FORMAT) return false;
  let [parts, others, isBehindTime] = [0, 0, false];
  for (const [piece, bracket, word] of format.toLowerCase().matchAll(PIECE)) {
    if (piece === ';') {
      if (parts > 0 && others === 0) return true;
      [parts, others, isBehindTime] = [0, 0, false];
      continue;
    }
    const said = bracket !== undefined && ELAPSED.test(bracket) ? bracket : word;
    if (said !== undefined) {
      if (PART.test(said)) parts++;
      else others++;
      isBehindTime = ELAPSED.test(said);
    } else {
      // Fractions of a second, `ss.000`; elsewhere they are digits of a number.
      if (/^[.,]0/.test(piece) && !isBehindTime) others++;
      isBehindTime = false;
    }
  }
  return parts > 0 && others === 0;
}
