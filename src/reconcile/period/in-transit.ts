import type { Environment } from '../../domain/environment.ts';
import { daysBetween, daysFrom } from '../../domain/reconciling/business-day.ts';
import { AGE_BUCKETS, type AgeBucket, ageBucket } from '../../domain/records/settling-age.ts';
import { isAt } from '../../domain/statements/lines.ts';
import type { Unsettled } from '../../store/scratch/transit.ts';
import { DAY_MS } from '../../time/clock.ts';
import type { MatchRun } from '../judge/run.ts';

/** Collected and not yet settled. Minor units. */
interface Collected {
  readonly environment: Environment;
  readonly currency: string;
  readonly collections: number;
  readonly amount: bigint;
}

/** At the end of the period, by age. */
export interface InTransit extends Collected {
  readonly age: AgeBucket;
}

/** At the end of a day. */
export interface InTransitOn extends Collected {
  readonly date: string;
}

/**
 * Adds up what is on its way to the bank at the end of the period and of each of its days, where settlement statements are known. A
 * currency with something in transit on any day has every day of the period, so that a chart leaves none out.
 */
export function inTransit({ scratch, sides, window }: MatchRun): {
  readonly byAge: InTransit[];
  readonly byDay: InTransitOn[];
} {
  const [byAge, byDay] = [new Map<string, InTransit>(), new Map<string, InTransitOn>()];
  const legs = new Set(sides.filter(({ leg }) => isAt(leg.theirs.statement, 'transit')).map(({ number }) => number));
  for (const leg of legs) {
    for (const group of scratch.unsettled(leg, window)) {
      const { environment, currency, day, paidDay } = group;
      if (paidDay === null) {
        const age = ageBucket(daysBetween(day, window.until) * DAY_MS);
        addTo(byAge, [environment, currency, AGE_BUCKETS.indexOf(age)], { environment, currency, age }, group);
      }
      for (const date of daysFrom(day < window.from ? window.from : day, window.until)) {
        if (paidDay !== null && date >= paidDay) break;
        addTo(byDay, [environment, currency, date], { environment, currency, date }, group);
      }
    }
  }
  return { byAge: inOrder(byAge), byDay: inOrder(withEveryDay(byDay, window)) };
}

function withEveryDay(
  byDay: ReadonlyMap<string, InTransitOn>,
  { from, until }: MatchRun['window'],
): Map<string, InTransitOn> {
  const every = new Map(byDay);
  for (const { environment, currency } of byDay.values()) {
    for (const date of daysFrom(from, until)) {
      const key = JSON.stringify([environment, currency, date]);
      if (!every.has(key)) every.set(key, { environment, currency, date, collections: 0, amount: 0n });
    }
  }
  return every;
}

function addTo<Sum extends Collected>(
  sums: Map<string, Sum>,
  key: readonly (string | number)[],
  name: Omit<Sum, 'collections' | 'amount'>,
  { records, amount }: Unsettled,
): void {
  const before = sums.get(JSON.stringify(key));
  const sum = { collections: (before?.collections ?? 0) + records, amount: (before?.amount ?? 0n) + amount };
  sums.set(JSON.stringify(key), { ...name, ...sum } as Sum);
}

function inOrder<Sum>(sums: ReadonlyMap<string, Sum>): Sum[] {
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}
