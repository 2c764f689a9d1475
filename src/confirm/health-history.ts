import { ackCount, ackWithin, addedAcks, NO_ACKS } from '../domain/health/ack-times.ts';
import type { HealthArchive, HealthSample } from '../store/health.ts';
import { DAY_MS, HOUR_MS } from '../time/clock.ts';
import { localTime } from '../time/local-time.ts';
import { instantMs } from '../time/timestamp.ts';

/*
 * How well things went, over a day, a week or a month: the samples of the health job, put together by stretches of time that begin on the
 * clock of a zone.
 */

export const HISTORY_SPANS = ['day', 'week', 'month'] as const;
export type HistorySpan = (typeof HISTORY_SPANS)[number];

/** How long a stretch of each span is, and how many there are. */
export const STRETCHES = {
  day: { hours: 1, count: 24 },
  week: { hours: 6, count: 28 },
  month: { hours: 24, count: 31 },
} as const satisfies Record<HistorySpan, { readonly hours: number; readonly count: number }>;

export function daysOfSpan(span: HistorySpan): number {
  const { hours, count } = STRETCHES[span];
  return (hours * count) / 24;
}

/** What is known of a stretch of time; null: no sample tells it. */
export interface HealthStretch {
  readonly fromMs: number;
  readonly acks: number | null;
  /** The bound within which half, 95 and 99 of a hundred acknowledgements came; Infinity: beyond all bounds. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
  readonly refused: number | null;
  /** At its end: of the settled records of seven days, the share that a status check settled before a webhook. */
  readonly sweepShare: number | null;
  /** At its end. */
  readonly databaseBytes: number | null;
  readonly freeBytes: number | null;
}

export interface HistoryOrder {
  readonly span: HistorySpan;
  readonly nowMs: number;
  /** IANA zone on whose clock the stretches begin. */
  readonly zone: string;
}

/** The stretches of a span, the oldest first; the last one is the present. */
export async function healthHistory(archive: HealthArchive, order: HistoryOrder): Promise<HealthStretch[]> {
  const starts = stretchStarts(order);
  // What was refused in the first stretch is told by the sample before it.
  const sinceMs = (starts[0] ?? order.nowMs) - DAY_MS;
  return stretchesOf(await archive.healthSamples({ sinceMs }), starts);
}

/** When each stretch begins. Pure. */
export function stretchStarts({ span, nowMs, zone }: HistoryOrder): number[] {
  const { hours, count } = STRETCHES[span];
  if (hours === 1) {
    const present = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    return Array.from({ length: count }, (_, at) => present - (count - 1 - at) * HOUR_MS);
  }
  const days = daysOfSpan(span) + 1;
  const local = localTime(zone);
  const noonMs = instantMs(`${dayOf(local(nowMs))}T12:00:00`, zone) ?? nowMs;
  const starts = Array.from({ length: days }, (_, at) => dayOf(local(noonMs - (days - 1 - at) * DAY_MS))).flatMap(
    (day) =>
      Array.from({ length: 24 / hours }, (_, at) =>
        instantMs(`${day}T${String(at * hours).padStart(2, '0')}:00:00`, zone),
      ),
  );
  return starts.filter((start): start is number => start !== null && start <= nowMs).slice(-count);
}

/** Puts samples together, the oldest first. Pure. */
export function stretchesOf(samples: readonly HealthSample[], starts: readonly number[]): HealthStretch[] {
  let before: HealthSample | null = null;
  let next = 0;
  return starts.map((fromMs, at) => {
    const toMs = starts[at + 1] ?? Number.POSITIVE_INFINITY;
    while ((samples[next]?.atMs ?? toMs) < fromMs) before = samples[next++] ?? null;
    const first = next;
    while ((samples[next]?.atMs ?? toMs) < toMs) next++;
    const own = samples.slice(first, next);
    const stretch = stretchOf(fromMs, own, before ?? own[0] ?? null);
    before = own.at(-1) ?? before;
    return stretch;
  });
}

function stretchOf(fromMs: number, own: readonly HealthSample[], before: HealthSample | null): HealthStretch {
  const last = own.at(-1) ?? null;
  const counted = own.flatMap(({ acks }) => (acks === null ? [] : [acks]));
  const acks = counted.length === 0 ? null : counted.reduce(addedAcks, NO_ACKS);
  const within = (share: number) => (acks === null ? null : ackWithin(acks, share));
  return {
    ...{ fromMs, acks: acks === null ? null : ackCount(acks) },
    ...{ p50Ms: within(0.5), p95Ms: within(0.95), p99Ms: within(0.99) },
    // A database that was restored counts from what it had then.
    refused: last === null || before === null ? null : Math.max(0, last.refused - before.refused),
    sweepShare: last === null || last.settled === 0 ? null : last.swept / last.settled,
    databaseBytes: last?.databaseBytes ?? null,
    freeBytes: last?.freeBytes ?? null,
  };
}

function dayOf(time: string): string {
  return time.slice(0, 'yyyy-MM-dd'.length);
}
