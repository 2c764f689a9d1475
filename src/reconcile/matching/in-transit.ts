import { daysBetween } from '../../domain/business-day.ts';
import type { Environment } from '../../domain/environment.ts';
import { AGE_BUCKETS, type AgeBucket, ageBucket } from '../../domain/settling-age.ts';
import type { MatchRun } from './run.ts';

/** Collected and not yet settled, by age. Minor units. */
export interface InTransit {
  readonly environment: Environment;
  readonly currency: string;
  readonly age: AgeBucket;
  readonly collections: number;
  readonly amount: bigint;
}

/** Adds up what is on its way to the bank at the end of the period, where settlement statements are known. */
export function inTransit({ scratch, sides, window }: MatchRun): InTransit[] {
  const found = new Map<string, InTransit>();
  const legs = new Set(sides.filter(({ leg }) => leg.theirs.statement === 'settlement').map(({ number }) => number));
  for (const leg of legs) {
    for (const { environment, currency, day, records, amount } of scratch.unsettled(leg, window.until)) {
      const age = ageBucket(daysBetween(day, window.until) * DAY_MS);
      const key = JSON.stringify([environment, currency, age]);
      const before = found.get(key) ?? { environment, currency, age, collections: 0, amount: 0n };
      found.set(key, { ...before, collections: before.collections + records, amount: before.amount + amount });
    }
  }
  return [...found.values()].sort(compareTransit);
}

const DAY_MS = 86_400_000;

function compareTransit(one: InTransit, other: InTransit): number {
  const [mine, theirs] = [`${one.environment} ${one.currency}`, `${other.environment} ${other.currency}`];
  if (mine !== theirs) return mine < theirs ? -1 : 1;
  return AGE_BUCKETS.indexOf(one.age) - AGE_BUCKETS.indexOf(other.age);
}
