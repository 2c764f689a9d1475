import type { Environment } from '../../domain/environment.ts';
import type { DayRange } from '../../domain/periods/period.ts';
import { daysFrom } from '../../domain/reconciling/business-day.ts';
import type { CountedDay, RowCounts } from '../judge/match-counts.ts';
import { rateOf } from './decimal.ts';
import type { ReportMatches } from './model.ts';

/** Match rates by leg and currency, and by leg and day of the period. The counts come in their order. */
export function matchRate(days: readonly CountedDay[], period: DayRange): ReportMatches {
  const byDay = added(days, ({ environment, leg, date }) => ({ environment, leg, date }));
  return {
    legs: legRates(days),
    byDay: [...Map.groupBy(byDay, ({ environment, leg }) => JSON.stringify([environment, leg])).values()]
      .flatMap((ofLeg) => withEveryDay(ofLeg, period))
      .toSorted((one, other) => compareDays(one, other)),
  };
}

/** Match rates by leg and currency. */
export function legRates(days: readonly CountedDay[]): ReportMatches['legs'] {
  const legs = added(days, ({ environment, leg, currency }) => ({ environment, leg, currency }));
  return legs.map((leg) => ({ ...leg, rate: rateOf(leg.matched, leg.unmatched) }));
}

/** Days of one leg: those with something due, and the other days of the period, unless one of the first lies outside it. */
function withEveryDay(counts: readonly (Day & RowCounts)[], { from, to }: DayRange): ReportMatches['byDay'] {
  const rated = counts.map(({ environment, leg, date, matched, unmatched }) => {
    return { environment, leg, date, matched, unmatched, rate: rateOf(matched, unmatched) };
  });
  const due = rated.filter(({ rate }) => rate !== null);
  const [first] = due;
  if (first === undefined || due.some(({ date }) => date < from || date > to)) return due;
  const found = new Map(due.map((one) => [one.date, one]));
  return daysFrom(from, to).map((date) => found.get(date) ?? { ...first, date, matched: 0, unmatched: 0, rate: null });
}

interface Day {
  readonly environment: Environment;
  readonly leg: string;
  readonly date: string;
}

function compareDays(one: Day, other: Day): number {
  const [mine, theirs] = [one, other].map(({ environment, leg, date }) => JSON.stringify([environment, leg, date]));
  return (mine ?? '') < (theirs ?? '') ? -1 : 1;
}

function added<Name extends object>(
  days: readonly CountedDay[],
  nameOf: (day: CountedDay) => Name,
): (Name & RowCounts)[] {
  const groups = Map.groupBy(days, (day) => JSON.stringify(nameOf(day)));
  return [...groups.values()].map((own) => {
    const sumOf = (name: keyof RowCounts) => own.reduce((sum, day) => sum + day[name], 0);
    return {
      ...nameOf(own[0] as CountedDay),
      ...{ matched: sumOf('matched'), unmatched: sumOf('unmatched') },
      ...{ notDue: sumOf('notDue'), noStatement: sumOf('noStatement') },
    };
  });
}
