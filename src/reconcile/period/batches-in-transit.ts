import type { Environment } from '../../domain/environment.ts';
import type { Item } from '../../domain/reconciling/break.ts';
import { daysBetween } from '../../domain/reconciling/business-day.ts';
import { compareTexts } from '../../domain/records/observation.ts';
import { type AgeBucket, ageBucket } from '../../domain/records/settling-age.ts';
import { isAt } from '../../domain/statements/lines.ts';
import { DAY_MS } from '../../time/clock.ts';
import type { MatchRun } from '../judge/run.ts';

/** A settlement batch that no line of the bank confirms at the end of the period. Minor units. */
export interface BatchInTransit {
  readonly environment: Environment;
  /** The bank account in which it is to appear. */
  readonly account: string;
  readonly currency: string;
  readonly reference: string;
  /** Of the batch. */
  readonly date: string;
  readonly age: AgeBucket;
  readonly amount: bigint;
}

const WITHOUT_LINE: readonly string[] = ['timing', 'missing_external', 'suggested', 'ambiguous'];

/** Lists the batches of the merchant that the bank does not have yet, where bank statements are known. The earliest come first. */
export function batchesInTransit({ found, sides, window }: MatchRun): BatchInTransit[] {
  const legs = new Set(sides.filter(({ leg }) => isAt(leg.theirs.statement, 'bank')).map(({ leg }) => leg.name));
  const batches = new Map<string, BatchInTransit>();
  for (const item of [found.breaks, found.timing, found.carried, found.inOpening, found.suggested].flat()) {
    const batch = isWithoutLine(item, legs) ? batchOf(item, window.until) : null;
    if (batch !== null) batches.set(JSON.stringify([batch.environment, batch.currency, batch.reference]), batch);
  }
  return [...batches.values()].sort(
    (one, other) =>
      compareTexts(one.environment, other.environment) ||
      compareTexts(one.currency, other.currency) ||
      compareTexts(one.date, other.date) ||
      compareTexts(one.reference, other.reference),
  );
}

function isWithoutLine({ kind, facts, place }: Item, legs: ReadonlySet<string>): boolean {
  return kind === 'batch' && WITHOUT_LINE.includes(facts.code) && place !== null && legs.has(place.leg ?? '');
}

function batchOf(item: Item, until: string): BatchInTransit | null {
  const { environment, currency, reference, minor, place, date = item.firstSeen } = item;
  if (place === null || currency === null || reference === null || minor === null || date > until) return null;
  const age = ageBucket(daysBetween(date, until) * DAY_MS);
  return { environment, account: place.account, currency, reference, date, age, amount: minor };
}
