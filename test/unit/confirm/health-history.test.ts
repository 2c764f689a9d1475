import { expect, test } from 'vitest';
import { STRETCHES, stretchesOf, stretchStarts } from '../../../src/confirm/health-history.ts';
import { boundOf, NO_ACKS } from '../../../src/domain/health/ack-times.ts';
import type { HealthSample } from '../../../src/store/health.ts';

const HOUR_MS = 3_600_000;
const at = (text: string) => Date.parse(text);
const sample = (atMs: number, more: Partial<HealthSample> = {}): HealthSample => ({
  ...{ atMs, acks: null, refused: 0, settled: 0, swept: 0, databaseBytes: 1_000, logBytes: 0, freeBytes: null },
  ...more,
});

test('the stretches of a span begin on the clock of the zone, also where it is put forward, and the last one is the present', () => {
  const nowMs = at('2026-03-29T10:20:00Z');
  const zone = 'Europe/Berlin'; // put forward on this day, at 2
  const day = stretchStarts({ span: 'day', nowMs, zone });
  expect([day.length, day[0], day.at(-1)]).toEqual([24, at('2026-03-28T11:00:00Z'), at('2026-03-29T10:00:00Z')]);
  const week = stretchStarts({ span: 'week', nowMs, zone });
  expect(week.slice(-3).map((ms) => new Date(ms).toISOString())).toEqual([
    '2026-03-28T23:00:00.000Z', // midnight
    '2026-03-29T04:00:00.000Z', // 6, five hours later
    '2026-03-29T10:00:00.000Z', // noon
  ]);
  const month = stretchStarts({ span: 'month', nowMs, zone });
  expect([month.length, month.at(-1)]).toEqual([STRETCHES.month.count, at('2026-03-28T23:00:00Z')]);
});

test('samples are put together by stretches: times are added up, refusals are what came since the sample before, sizes are the last ones', () => {
  const starts = [0, HOUR_MS, 2 * HOUR_MS, 3 * HOUR_MS];
  const acks = (ms: number, count: number) => NO_ACKS.with(boundOf(ms), count);
  const samples = [
    sample(-10, { refused: 5 }),
    sample(10, { refused: 7, acks: acks(5, 98) }),
    sample(20, { refused: 8, acks: acks(90, 2), settled: 40, swept: 10, databaseBytes: 2_000, freeBytes: 9 }),
    // None in the second hour. Then a database that was restored, by a command.
    sample(2 * HOUR_MS, { refused: 3 }),
    sample(3 * HOUR_MS, { refused: 4, acks: acks(6_000, 1) }),
  ];
  expect(stretchesOf(samples, starts)).toEqual([
    {
      ...{ fromMs: 0, acks: 100, p50Ms: 6, p95Ms: 6, p99Ms: 100 },
      ...{ refused: 3, sweepShare: 0.25, databaseBytes: 2_000, freeBytes: 9 },
    },
    {
      ...{ fromMs: HOUR_MS, acks: null, p50Ms: null, p95Ms: null, p99Ms: null },
      ...{ refused: null, sweepShare: null, databaseBytes: null, freeBytes: null },
    },
    expect.objectContaining({ acks: null, refused: 0, sweepShare: null, databaseBytes: 1_000 }),
    expect.objectContaining({ acks: 1, p50Ms: Number.POSITIVE_INFINITY, refused: 1 }),
  ]);
});
