// Dates and times in Unicode tokens (UTS 35), as far as exports use them. Pure.

/** What a text says about a moment; `offsetMs` is how far its own clock is ahead of UTC. */
export interface ReadMoment {
  /** `yyyy-MM-dd`. */
  readonly date: string;
  /** Milliseconds since the day began; null: only the date is known. */
  readonly timeMs: number | null;
  /** Null: the text names no zone. */
  readonly offsetMs: number | null;
}

export interface DateFormat {
  readonly pattern: string;
  /** Null: the text has another form, or names no day of the calendar. */
  readonly read: (text: string) => ReadMoment | null;
}

type Part =
  | 'year'
  | 'shortYear'
  | 'month'
  | 'monthName'
  | 'day'
  | 'hour'
  | 'hour12'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'half'
  | 'offset'
  | 'weekday';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const FULL_MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December';

const TOKENS: Readonly<Record<string, readonly [Part, string]>> = {
  yyyy: ['year', '(\\d{4})'],
  yy: ['shortYear', '(\\d{2})'],
  MMMM: ['monthName', `(${FULL_MONTHS})`],
  MMM: ['monthName', '(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'],
  MM: ['month', '(\\d{2})'],
  M: ['month', '(\\d{1,2})'],
  dd: ['day', '(\\d{2})'],
  d: ['day', '(\\d{1,2})'],
  EEEE: ['weekday', '((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)'],
  EEE: ['weekday', '(Mon|Tue|Wed|Thu|Fri|Sat|Sun)'],
  HH: ['hour', '(\\d{2})'],
  H: ['hour', '(\\d{1,2})'],
  hh: ['hour12', '(\\d{2})'],
  h: ['hour12', '(\\d{1,2})'],
  mm: ['minute', '(\\d{2})'],
  ss: ['second', '(\\d{2})'],
  S: ['fraction', '(\\d)'],
  SS: ['fraction', '(\\d{2})'],
  SSS: ['fraction', '(\\d{3})'],
  SSSSSS: ['fraction', '(\\d{6})'],
  a: ['half', '(AM|PM)'],
  X: ['offset', '(Z|[+-]\\d{2}(?::?\\d{2})?)'],
  XX: ['offset', '(Z|[+-]\\d{4})'],
  XXX: ['offset', '(Z|[+-]\\d{2}:\\d{2})'],
};

const PIECE = /'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']/g;

interface Compiled {
  readonly parts: readonly Part[];
  readonly source: string;
}

/** Returns why a pattern cannot be used, as a rule for the person who wrote it; null when it can. */
export function dateFormatProblem(pattern: string): string | null {
  const compiled = compile(pattern);
  if (typeof compiled === 'string') return compiled;
  const { parts } = compiled;
  const has = (...wanted: Part[]) => wanted.some((part) => parts.includes(part));
  if (parts.some((part, index) => parts.indexOf(part) !== index)) return 'must name each part of a date once';
  if (!has('year', 'shortYear') || !has('month', 'monthName') || !has('day')) {
    return 'must have a year, a month and a day, such as dd/MM/yyyy';
  }
  if (has('hour12') !== has('half')) return 'must have hh and a together, or HH';
  if (has('minute', 'second', 'fraction', 'half') && !(has('hour', 'hour12') && has('minute'))) {
    return 'must have hours and minutes when it has a time: HH:mm';
  }
  return has('offset') && !has('minute') ? 'must have a time when it has an offset' : null;
}

/** Whether a pattern has a time of day. */
export function hasTime(pattern: string): boolean {
  const compiled = compile(pattern);
  return typeof compiled !== 'string' && compiled.parts.includes('minute');
}

/** Returns the pattern up to its time: `dd/MM/yyyy` of `dd/MM/yyyy HH:mm`. */
export function datePartOf(pattern: string): string {
  const time = pattern.search(/(?:\s*'[^']*'\s*|[\sT,]*)[Hh]/);
  return time > 0 ? pattern.slice(0, time) : pattern;
}

/** Compiles a pattern that `dateFormatProblem` finds right. */
export function dateFormat(pattern: string): DateFormat {
  const compiled = compile(pattern);
  if (typeof compiled === 'string') throw new TypeError(`The date format ${pattern} ${compiled}.`);
  const form = new RegExp(`^${compiled.source}$`, 'i');
  return {
    pattern,
    read: (text) => {
      const found = form.exec(text);
      return found === null ? null : momentOf(compiled.parts, found);
    },
  };
}

function compile(pattern: string): Compiled | string {
  const parts: Part[] = [];
  let source = '';
  let end = 0;
  for (const { 0: piece, 1: quoted, index } of pattern.matchAll(PIECE)) {
    if (index !== end) break;
    end += piece.length;
    const token = TOKENS[piece];
    if (quoted !== undefined) source += escaped(quoted === '' ? "'" : quoted.replaceAll("''", "'"));
    else if (piece === 'T') source += 'T';
    else if (token !== undefined) {
      parts.push(token[0]);
      source += token[1];
    } else if (/[A-Za-z]/.test(piece)) {
      return `has the unknown part ${piece}: use yyyy (year), MM or MMM (month), dd (day), HH, mm, ss, with text in '…'`;
    } else source += escaped(piece);
  }
  return end === pattern.length ? { parts, source } : "has a ' without its end";
}

function escaped(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}/-]/g, '\\$&').replace(/ /g, '[ \\u00a0\\u202f]');
}

function momentOf(parts: readonly Part[], found: readonly string[]): ReadMoment | null {
  const value: Partial<Record<Part, string>> = {};
  for (const [index, part] of parts.entries()) value[part] = found[index + 1] ?? '';
  const year = Number(value.year ?? `20${value.shortYear}`);
  const month =
    value.month === undefined
      ? MONTHS.indexOf((value.monthName ?? '').slice(0, 3).toLowerCase()) + 1
      : Number(value.month);
  const day = Number(value.day);
  if (year < 1900 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  if (value.minute === undefined) return { date, timeMs: null, offsetMs: null };
  const timeMs = timeOf(value);
  const offsetMs = value.offset === undefined ? null : offsetOf(value.offset);
  return timeMs === null || Number.isNaN(offsetMs) ? null : { date, timeMs, offsetMs };
}

/** Returns milliseconds since the day began, or null for a time that no clock shows. */
function timeOf({
  hour,
  hour12,
  minute,
  second = '0',
  fraction = '',
  half = '',
}: Partial<Record<Part, string>>): number | null {
  const twelve = Number(hour12 ?? 1);
  if (twelve < 1 || twelve > 12) return null;
  const hours = hour12 === undefined ? Number(hour) : (twelve % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
  return ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1_000 + ms;
}

/** Returns how far a clock is ahead of UTC; NaN for more than a day. */
function offsetOf(text: string): number {
  if (text.toUpperCase() === 'Z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
