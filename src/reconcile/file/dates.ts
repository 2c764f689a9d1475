import { DAY_MS } from '../../time/clock.ts';
import { localToInstant, zoneOffsetMs } from '../../time/timestamp.ts';
import { BROKEN, type Cell, isBroken } from './cell.ts';
import { dateFormat, dateFormatProblem, datePartOf, hasTime, type ReadMoment } from './date-format.ts';
import { usualDateOf } from './usual-dates.ts';

/** The day of a line, and its instant when the file says a time. */
export interface LineTime {
  readonly date: string;
  readonly atMs: number | null;
}

/** Why a cell is no date or time, and what to do. */
export interface TimeFault {
  readonly part: 'date' | 'time';
  readonly reason: string;
}

export interface DateReader {
  /** Null: an empty cell. */
  readonly moment: (date: Cell, time: Cell | null) => LineTime | TimeFault | null;
  /** The same for a day alone: a value date, or a day that a file covers. A text: why it is none. */
  readonly day: (cell: Cell) => LineTime | null | string;
}

/** Entries of a cache: a file has few days, but a hostile one has as many as it likes. */
const MOST_CACHED = 10_000;
/** Characters of a date, its time and names of days and months included. */
const LONGEST_DATE = 200;

/** Returns the reader of dates in one pattern (null: typed cells only) and one zone. */
export function dateReader(pattern: string | null, zone: string): DateReader {
  const format = pattern === null ? null : dateFormat(pattern);
  const short =
    pattern !== null && hasTime(pattern) && dateFormatProblem(datePartOf(pattern)) === null
      ? dateFormat(datePartOf(pattern))
      : null;
  const days = new Map<string, ReadMoment>();
  const clock = zoneClock(zone);

  function read(cell: Cell): ReadMoment | null | string {
    if (typeof cell !== 'string') {
      if (cell.kind === 'error') return BROKEN;
      return cell.kind === 'date'
        ? { ...cell, offsetMs: null }
        : 'is a number, and a date is expected: give the cell a date format in the spreadsheet';
    }
    const text = cell.trim();
    if (text === '') return null;
    const known = days.get(text);
    if (known !== undefined) return known;
    if (text.length > LONGEST_DATE) return 'has more characters than any date: is this the column of dates?';
    const found = format?.read(text) ?? null;
    if (found === null) return wrongDate(text, pattern);
    // A time makes nearly every text another one.
    if (found.timeMs === null) {
      if (days.size >= MOST_CACHED) days.clear();
      days.set(text, found);
    }
    return found;
  }

  return {
    moment(cell, timeCell) {
      const found = read(cell);
      if (found === null) return null;
      if (typeof found === 'string') return { part: 'date', reason: found };
      const timeMs = timeCell === null ? found.timeMs : timeOfDay(timeCell, found.timeMs);
      if (typeof timeMs === 'string') return { part: 'time', reason: timeMs };
      if (timeMs === null) return { date: found.date, atMs: null };
      if (found.offsetMs === null) return { date: found.date, atMs: clock.instant(found.date, timeMs) };
      const atMs = Date.parse(found.date) + timeMs - found.offsetMs;
      return { date: clock.day(atMs), atMs };
    },
    day(cell) {
      const found = read(cell);
      if (typeof found !== 'string') return found === null ? null : { date: found.date, atMs: null };
      const alone = typeof cell === 'string' ? (short?.read(cell.trim()) ?? null) : null;
      return alone === null ? found : { date: alone.date, atMs: null };
    },
  };
}

const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s*(AM|PM))?$/i;

function timeOfDay(cell: Cell, dateTimeMs: number | null): number | null | string {
  if (isBroken(cell)) return BROKEN;
  if (typeof cell !== 'string')
    return cell.kind === 'date'
      ? cell.timeMs
      : 'is a number, and a time is expected: give the cell a time format in the spreadsheet';
  const text = cell.trim();
  if (text === '') return dateTimeMs;
  const [, hour = '', minute = '', second = '0', fraction = '', half = ''] = TIME.exec(text) ?? [];
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  const isTime = hour !== '' && Number(hour) <= (half === '' ? 23 : 12) && Number(minute) <= 59 && Number(second) <= 59;
  if (!isTime) return 'is no time of day: HH:mm or HH:mm:ss is expected. Mend the cell, or columns.time';
  return ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1_000 + Number(fraction.padEnd(3, '0').slice(0, 3));
}

function wrongDate(text: string, pattern: string | null): string {
  if (pattern === null) return 'is text, and a typed date is expected: set dateFormat in the profile';
  const wide = pattern.replace(/(?<!M)MM(?!M)|dd|HH|hh/g, (part) => part.charAt(0));
  if (wide !== pattern && dateFormat(wide).read(text) !== null)
    return `is no date of the form ${pattern}: ${wide} reads one digit and two. Set dateFormat so, if the whole column is`;
  const other = usualDateOf(text);
  if (other === null)
    return `is no date of the form ${pattern}: mend the cell; if the row is a total or a note, count it in file.footer`;
  return `is no date of the form ${pattern}, it looks like ${other.pattern}: one column has one form. Mend the cell, or give the rows of each form a file and a profile of their own`;
}

interface ZoneClock {
  readonly instant: (date: string, timeMs: number) => number;
  readonly day: (atMs: number) => string;
}

/** Computes a zone's offset once for each day without a change of clocks: asking Intl for every line would cost seconds. */
function zoneClock(zone: string): ZoneClock {
  const offsets = new Map<string, number | null>();
  function steadyOffset(day: string): number | null {
    const known = offsets.get(day);
    if (known !== undefined) return known;
    const noon = Date.parse(day);
    const around = [noon - DAY_MS, noon, noon + DAY_MS, noon + 2 * DAY_MS].map((ms) => zoneOffsetMs(ms, zone));
    const offset = around.every((one) => one === around[0]) ? (around[0] ?? null) : null;
    if (offsets.size >= MOST_CACHED) offsets.clear();
    offsets.set(day, offset);
    return offset;
  }
  return {
    instant(date, timeMs) {
      const wall = Date.parse(date) + timeMs;
      const offset = steadyOffset(date);
      return offset === null
        ? Date.parse(localToInstant(new Date(wall).toISOString().slice(0, -1), zone))
        : wall - offset;
    },
    day(atMs) {
      const offset = steadyOffset(new Date(atMs).toISOString().slice(0, 10)) ?? zoneOffsetMs(atMs, zone);
      return new Date(atMs + offset).toISOString().slice(0, 10);
    },
  };
}
