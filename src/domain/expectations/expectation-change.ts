import { compareAmounts } from '../money/amount.ts';
import { isSettled, type RecordKind } from '../records/lifecycle.ts';
import { dueByNews } from '../records/record-move.ts';
import type { Expectation } from './expectation.ts';

/** What tracking a reference changed: `same` is nothing. */
export type TrackEffect = 'new' | 'changed' | 'same';

/** Null: the reference was not tracked. */
export function trackEffect(before: Expectation | null, expected: Expectation): TrackEffect {
  if (before === null) return 'new';
  return isSame(before, expected) ? 'same' : 'changed';
}

/** Returns the due time of a record whose expectation changed. A settled record needs no check: it is compared at once. */
export function dueByExpectation(
  kind: RecordKind,
  { confirmed, dueAtMs }: { readonly confirmed: string | null; readonly dueAtMs: number | null },
  nowMs: number,
): number | null {
  return confirmed !== null && isSettled(kind, confirmed) ? dueAtMs : dueByNews(dueAtMs, nowMs);
}

function isSame(before: Expectation, { amount, currency, expectedByMs }: Expectation): boolean {
  const sameAmount =
    before.amount === null || amount === null ? before.amount === amount : compareAmounts(before.amount, amount) === 0;
  return sameAmount && before.currency === currency && before.expectedByMs === expectedByMs;
}
