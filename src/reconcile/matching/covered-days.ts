import type { DayRange } from '../../domain/periods/period.ts';
import { dayPlus, daysFrom } from '../../domain/reconciling/business-day.ts';
import type { StatementSummary } from '../../store/statements.ts';
import type { Closings } from '../closed.ts';
import { quietDays } from './quiet-days.ts';

/** First and last day. */
interface Days {
  readonly from: string;
  readonly until: string;
}

/** The periods in which an account is looked at: its files that state no days go on to the end of theirs. */
export type PeriodsOf = (account: StatementSummary['account']) => readonly DayRange[];

/** The period of a run, and the closed ones of the account, which counted what they show. */
export function periodsOf({ from, until }: Days, closings: Closings): PeriodsOf {
  return ({ environment, name }) => [{ from, to: until }, ...closings.daysOf(environment, name)];
}

/** The calendar months in which the statements end, where no run says which period is meant. */
export function monthsOf(statements: readonly StatementSummary[]): PeriodsOf {
  const firsts = new Set(statements.flatMap(({ covers }) => (covers === null ? [] : [`${covers.to.slice(0, 7)}-01`])));
  const months = [...firsts].map((from) => ({ from, to: dayPlus(`${dayPlus(from, 31).slice(0, 7)}-01`, -1) }));
  return () => months;
}

/**
 * The days that statements cover in a currency, in order. Lines in two files show the days between them as in one. The last line of a
 * file that states no days is not the end of what it shows: a row of ours after it, in the same period, has no line yet and counts, or
 * no period would count it once its line is in a later file.
 */
export function coveredDays(statements: readonly StatementSummary[], currency: string, periodsOf: PeriodsOf): string[] {
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
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] ?? '') < from) low = middle + 1;
    else high = middle;
  }
  const next = days[low];
  return next !== undefined && next <= to;
}

/** The last day that a line or the file itself shows; null: none. */
export function lastShownDay(statements: readonly StatementSummary[]): string | null {
  return statements.reduce<string | null>((last, { covers }) => {
    return covers !== null && (last === null || covers.to > last) ? covers.to : last;
  }, null);
}

/** Whether a statement shows some day of the period. */
export function covers({ covers: days }: StatementSummary, { from, until }: Days): boolean {
  return days !== null && days.to >= from && days.from <= until;
}

/** The days from the last line of an account to the end of a period. */
function daysAfterLast(statements: readonly StatementSummary[], { from, to }: DayRange): string[] {
  const within = statements.filter((one) => covers(one, { from, until: to }));
  const last = lastShownDay(within);
  const isOpenEnded = within.some(({ statesDays }) => !statesDays);
  return last === null || !isOpenEnded || last >= to ? [] : daysFrom(dayPlus(last, 1), to);
}
