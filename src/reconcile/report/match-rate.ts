import type { CountedDay, RowCounts } from '../matching/match-counts.ts';
import { rateOf } from './decimal.ts';
import type { ReportMatches } from './model.ts';

/** Match rates by leg and currency, and by leg and day. The counts come in their order. */
export function matchRate(days: readonly CountedDay[]): ReportMatches {
  const legs = added(days, ({ environment, leg, currency }) => ({ environment, leg, currency }));
  const byDay = added(days, ({ environment, leg, date }) => ({ environment, leg, date }));
  return {
    legs: legs.map((leg) => ({ ...leg, rate: rateOf(leg.matched, leg.unmatched) })),
    byDay: byDay
      .toSorted((one, other) => compareDays(one, other))
      .flatMap(({ environment, leg, date, matched, unmatched }) => {
        const rate = rateOf(matched, unmatched);
        return rate === null ? [] : [{ environment, leg, date, matched, unmatched, rate }];
      }),
  };
}

interface Day {
  readonly environment: string;
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
  const sums = new Map<string, Name & RowCounts>();
  for (const day of days) {
    const name = nameOf(day);
    const before = sums.get(JSON.stringify(name));
    sums.set(JSON.stringify(name), {
      ...name,
      matched: (before?.matched ?? 0) + day.matched,
      unmatched: (before?.unmatched ?? 0) + day.unmatched,
      notDue: (before?.notDue ?? 0) + day.notDue,
      noStatement: (before?.noStatement ?? 0) + day.noStatement,
    });
  }
  return [...sums.values()];
}
