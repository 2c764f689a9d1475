import type { DayRange } from '../periods/period.ts';
import { dayPlus, daysBetween, daysFrom, indexFrom, monthOf } from '../reconciling/business-day.ts';
import { compareTexts } from '../records/observation.ts';
import type { Account } from '../statements/statement.ts';
import type { AccountFile } from './book-file.ts';

/** What a file says of its days and its balances. */
export type CoveringFile = Pick<AccountFile, 'account' | 'covers' | 'statesDays' | 'balances'>;

/** First and last day. */
interface Days {
  readonly from: string;
  readonly until: string;
}

/** The periods in which an account is looked at: its files that state no days go on to the end of theirs. */
export type PeriodsOf = (account: Account) => readonly DayRange[];

/** The calendar months in which the statements end, where no run says which period is meant. */
export function monthsOf(statements: readonly CoveringFile[]): PeriodsOf {
  const all = statements.flatMap(({ covers }) => (covers === null ? [] : monthOf(covers.to)));
  const months = [...new Map(all.map((month) => [month.from, month])).values()];
  return () => months;
}

/**
 * The days that statements cover in a currency, in order. Lines in two files show the days between them as in one. The last line of a
 * file that states no days is not the end of what it shows: a row of ours after it, in the same period, has no line yet and counts, or
 * no period would count it once its line is in a later file.
 */
export function coveredDays(statements: readonly CoveringFile[], currency: string, periodsOf: PeriodsOf): string[] {
  const days = new Set<string>();
  for (const { covers } of statements) {
    if (covers !== null) for (const day of daysFrom(covers.from, covers.to)) days.add(day);
  }
  for (const own of Map.groupBy(statements, ({ account }) => account.name).values()) {
    for (const day of quietDays(own, currency)) days.add(day);
    const [first] = own;
    for (const period of first === undefined ? [] : periodsOf(first.account)) {
      for (const day of daysAfterLast(own, period)) days.add(day);
    }
  }
  return [...days].sort();
}

/** Whether some of the covered days, which are in order, lie between two days, both included. */
export function coverSome(days: readonly string[], { from, to }: DayRange): boolean {
  const next = days[indexFrom(days, from)];
  return next !== undefined && next <= to;
}

/** The last day that a line or the file itself shows; null: none. */
export function lastShownDay(statements: readonly CoveringFile[]): string | null {
  return statements.reduce<string | null>((last, { covers }) => {
    return covers !== null && (last === null || covers.to > last) ? covers.to : last;
  }, null);
}

/** Whether a statement shows some day of the period. */
export function covers({ covers: days }: CoveringFile, { from, until }: Days): boolean {
  return days !== null && days.to >= from && days.from <= until;
}

/** The days from the last line of an account to the end of a period. */
function daysAfterLast(statements: readonly CoveringFile[], { from, to }: DayRange): string[] {
  const within = statements.filter((one) => covers(one, { from, until: to }));
  const last = lastShownDay(within);
  const isOpenEnded = within.some(({ statesDays }) => !statesDays);
  return last === null || !isOpenEnded || last >= to ? [] : daysFrom(dayPlus(last, 1), to);
}

/** Most days between two files that count as covered where no balance tells: a week or more may be a missing file. */
const MOST_QUIET_DAYS = 6;

/**
 * Returns the days between files of one account on which nothing moved, as one file of all these lines would show. Files that state
 * their days show no others. Between those that do not, nothing moved where the later one opens with the balance with which the earlier
 * one closes. Without both balances a few days are quiet. So are they between balances of 0.00: an account that is emptied every day
 * opens with 0.00 after a missing file, too.
 */
export function quietDays(files: readonly CoveringFile[], currency: string): string[] {
  const days: string[] = [];
  let end: string | null = null;
  let ending: CoveringFile[] = [];
  const ordered = files.toSorted((one, other) => compareTexts(startOf(one), startOf(other)));
  for (const [start, beginning] of Map.groupBy(ordered, startOf)) {
    if (end !== null && start > dayPlus(end, 1)) {
      const between = daysFrom(dayPlus(end, 1), dayPlus(start, -1));
      if (isQuiet(between.length, ending, beginning, currency)) days.push(...between);
    }
    for (const file of beginning) {
      const to = file.covers?.to ?? null;
      if (to === null || (end !== null && to < end)) continue;
      ending = to === end ? [...ending, file] : [file];
      end = to;
    }
  }
  return days;
}

function startOf({ covers }: CoveringFile): string {
  return covers?.from ?? '';
}

function isQuiet(
  count: number,
  ending: readonly CoveringFile[],
  beginning: readonly CoveringFile[],
  currency: string,
): boolean {
  const [before, after] = [ending, beginning].map((files) => files.filter(({ statesDays }) => !statesDays));
  if (!before?.length || !after?.length) return false;
  const closings = before.flatMap((file) => balanceOf(file, currency)?.closing ?? []);
  const openings = after.flatMap((file) => balanceOf(file, currency)?.opening ?? []);
  const isShort = count <= MOST_QUIET_DAYS;
  if (closings.length === 0 || openings.length === 0) return isShort;
  return openings.some((opening) => closings.includes(opening) && (opening !== 0n || isShort));
}

/**
 * Returns the account of a side in which a row of ours without a line belongs, by the row's day: the one that covers the day, else
 * the one that covers the nearest. Of several the first by name. Remembers what it has computed.
 */
export function accountOn(statements: readonly Pick<CoveringFile, 'account' | 'covers'>[]): (day: string) => string {
  const covered = [...Map.groupBy(statements, ({ account }) => account.name)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const known = new Map<string, string>();
  return (day) => {
    const found = known.get(day) ?? nearest(covered, day);
    known.set(day, found);
    return found;
  };
}

function nearest(
  accounts: readonly (readonly [string, readonly Pick<CoveringFile, 'covers'>[]])[],
  day: string,
): string {
  let [found, least] = [accounts[0]?.[0] ?? '', Number.POSITIVE_INFINITY];
  for (const [name, statements] of accounts) {
    const distance = Math.min(...statements.map(({ covers }) => distanceFrom(covers, day)));
    if (distance < least) [found, least] = [name, distance];
  }
  return found;
}

/** How many days lie between a day and those that a statement covers. */
function distanceFrom(covers: CoveringFile['covers'], day: string): number {
  if (covers === null) return Number.POSITIVE_INFINITY;
  if (day < covers.from) return daysBetween(day, covers.from);
  return day > covers.to ? daysBetween(covers.to, day) : 0;
}

/** Days of a period that none of these ranges has, in runs of days that follow each other. */
export function uncoveredDays({ from, to }: DayRange, covered: readonly DayRange[]): DayRange[] {
  const missing = daysFrom(from, to).filter((day) => !covered.some((one) => one.from <= day && day <= one.to));
  const ends = missing.filter((day, at) => missing[at + 1] !== dayPlus(day, 1));
  const starts = missing.filter((day, at) => missing[at - 1] !== dayPlus(day, -1));
  return starts.map((start, at) => ({ from: start, to: ends[at] ?? start }));
}

/** `2026-10-01..2026-10-04, 2026-10-31` */
export function daysText(ranges: readonly DayRange[]): string {
  return ranges.map(({ from, to }) => (from === to ? from : `${from}..${to}`)).join(', ');
}

function balanceOf({ balances }: CoveringFile, currency: string) {
  return balances.find((one) => one.currency === currency);
}
