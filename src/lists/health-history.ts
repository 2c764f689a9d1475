import type { HealthStretch } from '../confirm/health-history.ts';
import { ACK_BOUNDS_MS } from '../domain/health/ack-times.ts';
import { byteCount, duration, percentText } from '../domain/text/quantity-text.ts';
import { count, figure, type ListColumn, time } from './column.ts';

// How well things went, by stretches of time.

export function healthHistoryColumns(): ListColumn<HealthStretch>[] {
  return [
    time('From', ({ fromMs }) => fromMs),
    count('Acks', ({ acks }) => acks, { leaveOut: 2 }),
    figure('p50', ({ p50Ms }) => withinText(p50Ms), { leaveOut: 6 }),
    figure('p95', ({ p95Ms }) => withinText(p95Ms), { leaveOut: 3 }),
    figure('p99', ({ p99Ms }) => withinText(p99Ms)),
    count('Refused', ({ refused }) => refused),
    figure('By sweep', ({ sweepShare }) => (sweepShare === null ? null : percentText(sweepShare))),
    figure('Database', ({ databaseBytes }) => bytesText(databaseBytes), { leaveOut: 4 }),
    figure('Free', ({ freeBytes }) => bytesText(freeBytes), { leaveOut: 5 }),
  ];
}

/** `≤ 8 ms`: acknowledgements are counted by bounds. */
export function withinText(ms: number | null): string | null {
  if (ms === null) return null;
  return Number.isFinite(ms) ? `≤ ${duration(ms)}` : `> ${duration(ACK_BOUNDS_MS.at(-1) ?? 0)}`;
}

function bytesText(bytes: number | null): string | null {
  return bytes === null ? null : byteCount(bytes);
}
