import type { RecordKind } from './lifecycle.ts';
import type { Times } from './service-times.ts';

/** The service's own time of the outcome. */
export const OUTCOME_TIME = {
  refund: 'completedAt',
  payout: 'paidAt',
  collection: 'paidAt',
} as const satisfies Record<RecordKind, string>;

/**
 * Returns the time that puts a record into a day (docs/reconciliation.md, Which day a record belongs to): when it was paid or completed,
 * else the time of the observation of its status, else when its status was learnt. Fractions of a second are cut off, as rounding could move it into the next day.
 */
export function effectiveTime(kind: RecordKind, times: Times, learntAtMs: number): number {
  const stated = statedTime(kind, times);
  return stated === null ? learntAtMs : wholeSeconds(stated);
}

/** The time that the service gives for the outcome of a record, in UTC; null: none that can be read. */
export function statedTime(kind: RecordKind, times: Times): string | null {
  return times[OUTCOME_TIME[kind]]?.utc ?? times.updatedAt?.utc ?? null;
}

/** The milliseconds of a time in UTC, without its fraction of a second. */
export function wholeSeconds(utc: string): number {
  return Date.parse(`${utc.slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`);
}
