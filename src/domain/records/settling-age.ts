import { DAY_MS, HOUR_MS } from '../../time/clock.ts';
import type { RecordKind } from './lifecycle.ts';
import type { Times } from './service-times.ts';

/** How long a record of each kind may take until the service has settled it; beyond, it is stuck. */
export const SETTLING_LIMIT_MS = {
  refund: 10 * DAY_MS,
  payout: 3 * DAY_MS,
  collection: 2 * DAY_MS,
} as const satisfies Record<RecordKind, number>;

/** A refund waits for the settlement of the money that it is paid from. */
const AWAITING_SETTLEMENT_MS = 30 * DAY_MS;

/** When a record in this status must be settled at the latest. */
export function settledBy(kind: RecordKind, status: string | null, startedAtMs: number): number {
  const waits = kind === 'refund' && status === 'awaiting_settlement';
  return startedAtMs + (waits ? AWAITING_SETTLEMENT_MS : SETTLING_LIMIT_MS[kind]);
}

/** The time with which the service says that a record began. */
export const BEGINNING = { refund: 'requestedAt', payout: 'createdAt', collection: 'createdAt' } as const;

interface Begun {
  readonly kind: RecordKind;
  readonly times: Times;
  readonly reportedTime: string | null;
  readonly firstSeenAtMs: number;
}

/** When a record began: by the service's own time, else by the earliest time of an observation, else when it was first seen. */
export function startedAt({ kind, times, reportedTime, firstSeenAtMs }: Begun): number {
  const stated = times[BEGINNING[kind]]?.utc ?? times.updatedAt?.utc ?? reportedTime;
  return stated === null || stated === undefined ? firstSeenAtMs : Date.parse(stated);
}

/** Ages in which what waits is added up. */
export const AGE_BUCKETS = ['<24h', '1-3d', '3-7d', '>7d'] as const;
export type AgeBucket = (typeof AGE_BUCKETS)[number];

export function ageBucket(ageMs: number): AgeBucket {
  if (ageMs < 24 * HOUR_MS) return '<24h';
  if (ageMs < 3 * DAY_MS) return '1-3d';
  return ageMs <= 7 * DAY_MS ? '3-7d' : '>7d';
}
