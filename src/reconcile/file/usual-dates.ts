import { type DateFormat, dateFormat } from './date-format.ts';

// Forms of dates that exports use. They serve proposals and advice only: a file is read by the one form of its profile.

const DATES = [
  'yyyy-MM-dd',
  'dd/MM/yyyy',
  'MM/dd/yyyy',
  'd/M/yyyy',
  'M/d/yyyy',
  'dd-MM-yyyy',
  'dd.MM.yyyy',
  'd.M.yyyy',
  'dd MMM yyyy',
  'd MMM yyyy',
  'dd-MMM-yyyy',
  'd-MMM-yyyy',
  'dd-MMM-yy',
  'dd/MM/yy',
  'yyyy/MM/dd',
  'yyyyMMdd',
  'MMM d, yyyy',
  'MMMM d, yyyy',
  'd MMMM yyyy',
  'dd.MM.yy',
  'MM/dd/yy',
  'yyyy年M月d日',
];
/** Two digits of an hour before one: a file in which every hour has two says so. */
const TIMES = [
  '',
  ' HH:mm',
  ' HH:mm:ss',
  "'T'HH:mm:ss",
  "'T'HH:mm:ssXXX",
  "'T'HH:mm:ss.SSSXXX",
  ' HH:mm:ss.SSS',
  ' hh:mm a',
  ' h:mm:ss a',
  ' H:mm',
  ' H:mm:ss',
  ' h:mm a',
  ', HH:mm',
  ', HH:mm:ss',
  ', h:mm:ss a',
  ', h:mm a',
];

/** The first form that fits is the most usual one. */
export const USUAL_DATES: readonly DateFormat[] = DATES.flatMap((date) => TIMES.map((time) => dateFormat(date + time)));

/** Returns the first usual form that reads a text; null: none does. */
export function usualDateOf(text: string): DateFormat | null {
  return USUAL_DATES.find(({ read }) => read(text) !== null) ?? null;
}

const DAY_FIRST = /^\d{1,4}[-./年 ] ?(?:\d{1,2}|\p{L}{3,9}\.?)[-./月 ,]{1,2}\d{1,4}(?!\d)/u;
const MONTH_FIRST = /^\p{L}{3,9}\.?,? \d{1,2}[, ]{1,2}(?:\d{4}|\p{L}{3,9})/u;

/** Whether a text may be a day in some form, known or not: `3 sept. 2026`, `2026-10-1 9h05`. */
export function looksLikeDay(text: string): boolean {
  return usualDateOf(text) !== null || DAY_FIRST.test(text) || MONTH_FIRST.test(text);
}
