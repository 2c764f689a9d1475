import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ChannelHealth,
  channelQuery,
  type HealthRules,
  judgeChannels,
  percentile,
  usualGap,
} from '../../../src/confirm/health.ts';
import type { ChannelRecord, ChannelSample } from '../../../src/store/channels.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.parse('2026-11-20T12:00:00Z'); // a Friday
const RULES: HealthRules = { nowMs: NOW_MS, sinceMs: NOW_MS - 7 * DAY_MS, sweepShare: 0.1 };

const record = (...moves: [ChannelRecord['moves'][number]['field'], string | null][]): ChannelRecord => ({
  environment: 'live',
  reported: moves.findLast(([field]) => field === 'reported')?.[1] ?? null,
  moves: moves.map(([field, to]) => ({ field, to })),
});
const sample = (parts: Partial<ChannelSample>): ChannelSample => ({
  ...{ kind: 'refund', truncated: { test: false, live: false }, records: [], receipts: [], firstReports: [] },
  ...parts,
});
const reportsAt = (times: readonly number[]) => times.map((atMs) => ({ environment: 'live' as const, atMs }));
const judged = (parts: Partial<ChannelSample>, rules: Partial<HealthRules> = {}): ChannelHealth => {
  const [channel, ...others] = judgeChannels([sample(parts)], { ...RULES, ...rules });
  expect(others).toEqual([]);
  return channel as ChannelHealth;
};

describe('the first source of a settled status', () => {
  test.each<[string, ChannelRecord, Partial<ChannelHealth>]>([
    ['a webhook', record(['reported', 'pending'], ['reported', 'success'], ['confirmed', 'success']), { byWebhook: 1 }],
    [
      'the sweep, while the webhook was on its way',
      record(['confirmed', 'success'], ['reported', 'success']),
      { bySweep: 1 },
    ],
    [
      'the sweep, and no webhook ever',
      record(['reported', 'pending'], ['confirmed', 'success']),
      { bySweep: 1, repaired: 1 },
    ],
    ['the sweep alone, of a tracked record', record(['confirmed', 'rejected']), { bySweep: 1, repaired: 1 }],
    ['none so far', record(['reported', 'failed'], ['confirmed', 'failed']), {}],
    ['a webhook that a later one contradicted', record(['reported', 'success'], ['reported', null]), { byWebhook: 1 }],
  ])('is %s', (_what, one, expected) => {
    const { byWebhook, bySweep, repaired, settled } = judged({ records: [one] });
    const counts = { byWebhook: 0, bySweep: 0, repaired: 0, ...expected };
    expect({ byWebhook, bySweep, repaired }).toEqual(counts);
    expect(settled).toBe(counts.byWebhook + counts.bySweep);
  });

  test('the share is judged from twenty settled records on', () => {
    const byWebhook = record(['reported', 'success']);
    const bySweep = record(['confirmed', 'success']);
    const of = (swept: number, all: number) =>
      judged({ records: Array.from({ length: all }, (_, index) => (index < swept ? bySweep : byWebhook)) });
    expect(of(2, 20)).toMatchObject({ sweepShare: 0.1, problems: [] });
    expect(of(3, 20)).toMatchObject({ sweepShare: 0.15, problems: ['sweep_share'] });
    expect(of(19, 19)).toMatchObject({ sweepShare: 1, problems: [] });
    expect(judged({ records: [record(['reported', 'pending'])] }).sweepShare).toBeNull();
  });

  test('neither the order of the records nor other records change a count', () => {
    const field = fc.constantFrom('reported' as const, 'confirmed' as const);
    const status = fc.constantFrom('pending', 'failed', 'success', 'rejected', null);
    const any = fc.array(fc.tuple(field, status), { maxLength: 4 }).map((moves) => record(...moves));
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 30 }), fc.nat(30), (records, cut) => {
        const counts = (some: readonly ChannelRecord[]) =>
          some.length === 0
            ? [0, 0, 0, 0]
            : (({ settled, byWebhook, bySweep, repaired }) => [settled, byWebhook, bySweep, repaired])(
                judged({ records: some }),
              );
        const whole = counts(records);
        expect(counts(records.toReversed())).toEqual(whole);
        const [left, right] = [counts(records.slice(0, cut)), counts(records.slice(cut))];
        expect(left.map((count, index) => count + (right[index] ?? 0))).toEqual(whole);
        expect(whole[0]).toBe((whole[1] ?? 0) + (whole[2] ?? 0));
        expect(whole[3]).toBeLessThanOrEqual(whole[2] ?? 0);
      }),
    );
  });
});

describe('delays', () => {
  const receipt = (delayMs: number, { agoMs = DAY_MS, time = true } = {}) => {
    const receivedAtMs = NOW_MS - agoMs;
    const sent = new Date(receivedAtMs - delayMs).toISOString();
    return { environment: 'live' as const, time: time ? sent : null, receivedAtMs, lastReceivedAtMs: receivedAtMs };
  };
  const one = { records: [record(['reported', 'pending'])] };

  test('of receipts in the window that have a time', () => {
    const receipts = [
      receipt(100),
      receipt(300),
      receipt(200),
      receipt(9, { agoMs: 8 * DAY_MS }),
      receipt(7, { time: false }),
    ];
    expect(judged({ ...one, receipts }).delays).toEqual({ count: 3, p50Ms: 200, p95Ms: 300 });
    expect(judged({ ...one, receipts: [] }).delays).toEqual({ count: 0, p50Ms: null, p95Ms: null });
    expect(judged({ ...one, receipts: [receipt(-500)] }).delays.p50Ms).toBe(-500);
  });

  test('a percentile is one of the values, with at least its share of them at or below it', () => {
    const values = fc.array(fc.integer(), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
        const sorted = all.toSorted((left, right) => left - right);
        const found = percentile(sorted, share) as number;
        expect(sorted).toContain(found);
        expect(sorted.filter((each) => each <= found).length).toBeGreaterThanOrEqual(share * all.length);
        expect(sorted.filter((each) => each < found).length).toBeLessThanOrEqual(share * all.length);
      }),
    );
    expect(percentile([], 0.5)).toBeNull();
  });
});

describe('the usual gap', () => {
  const times = fc.uniqueArray(fc.integer({ min: 0, max: 30 * DAY_MS }), { minLength: 12, maxLength: 60 });

  test('of steady news is the gap between them, and bursts do not shorten it', () => {
    const steady = Array.from({ length: 100 }, (_, index) => index * HOUR_MS);
    expect(usualGap(steady)).toBe(HOUR_MS);
    const bursts = steady.flatMap((atMs) => [atMs, atMs, atMs]);
    expect(usualGap(bursts)).toBe(HOUR_MS);
  });

  test('lies between the average gap and the longest, at any time and in any order', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 1e12 }), (all, shift) => {
        const sorted = all.toSorted((left, right) => left - right);
        const gaps = sorted.slice(1).map((each, index) => each - (sorted[index] ?? 0));
        const gap = usualGap(all);
        const span = gaps.reduce((sum, each) => sum + each, 0);
        if (span < DAY_MS) return expect(gap).toBeNull();
        expect(gap).toBeGreaterThanOrEqual(Math.floor(span / gaps.length));
        expect(gap).toBeLessThanOrEqual(Math.max(...gaps));
        expect(usualGap(all.toReversed().map((each) => each + shift))).toBe(gap);
      }),
    );
  });

  test('is unknown with too few news, or within too short a time', () => {
    expect(usualGap([])).toBeNull();
    expect(usualGap(Array.from({ length: 9 }, (_, index) => index * DAY_MS))).toBeNull();
    expect(usualGap(Array.from({ length: 10 }, (_, index) => index * DAY_MS))).toBe(DAY_MS);
    expect(usualGap(Array.from({ length: 100 }, (_, index) => index * MINUTE_MS))).toBeNull();
  });
});

describe('silence', () => {
  /** Every `gapMs` from 8 to 18 o'clock, on working days, over the four weeks before `untilMs`. */
  const shopHours = (untilMs: number, gapMs: number): number[] => {
    const all: number[] = [];
    for (let atMs = NOW_MS - 28 * DAY_MS; atMs <= untilMs; atMs += gapMs) {
      const date = new Date(atMs);
      const isOpen = date.getUTCHours() >= 8 && date.getUTCHours() < 18;
      if (isOpen && date.getUTCDay() !== 0 && date.getUTCDay() !== 6) all.push(atMs);
    }
    return all;
  };
  const silentAt = (times: readonly number[], nowMs: number) =>
    judged({ firstReports: reportsAt(times.filter((atMs) => atMs <= nowMs)) }, { nowMs }).problems.includes('silent');

  test('a shop is not silent at night or over the weekend, but after days without a webhook', () => {
    const until = NOW_MS + 4 * DAY_MS;
    const open = shopHours(until, 5 * MINUTE_MS);
    for (let hours = 0; hours <= 4 * 24; hours++) {
      expect([hours, silentAt(open, NOW_MS + hours * HOUR_MS)]).toEqual([hours, false]);
    }
    const broken = open.filter((atMs) => atMs <= NOW_MS);
    expect(silentAt(broken, NOW_MS + 4 * DAY_MS)).toBe(true);
  });

  test('is reported after three times the usual gap, and never before a quarter of an hour', () => {
    const hourly = Array.from({ length: 200 }, (_, index) => NOW_MS - index * HOUR_MS);
    expect(silentAt(hourly, NOW_MS + 3 * HOUR_MS)).toBe(false);
    expect(silentAt(hourly, NOW_MS + 3 * HOUR_MS + 1)).toBe(true);
    const busy = Array.from({ length: 3_000 }, (_, index) => NOW_MS - index * MINUTE_MS);
    expect(silentAt(busy, NOW_MS + 15 * MINUTE_MS)).toBe(false);
    expect(silentAt(busy, NOW_MS + 15 * MINUTE_MS + 1)).toBe(true);
  });

  test('an event of an old record ends it, and so does another delivery of an old event', () => {
    const hourly = reportsAt(Array.from({ length: 200 }, (_, index) => NOW_MS - (index + 9) * HOUR_MS));
    const receipts = [
      { environment: 'live' as const, time: null, receivedAtMs: 0, lastReceivedAtMs: NOW_MS - HOUR_MS },
    ];
    expect(judged({ firstReports: hourly })).toMatchObject({ silentForMs: 9 * HOUR_MS, problems: ['silent'] });
    expect(judged({ firstReports: hourly, receipts })).toMatchObject({ silentForMs: HOUR_MS, problems: [] });
  });

  test('a channel without a usual gap is never silent', () => {
    expect(judged({ firstReports: reportsAt([NOW_MS - 27 * DAY_MS]) })).toMatchObject({
      usualGapMs: null,
      silentForMs: 27 * DAY_MS,
      problems: [],
    });
  });
});

test('each environment is a channel of its own, and one without records is none', () => {
  const records = [
    record(['reported', 'success']),
    { ...record(['confirmed', 'success']), environment: 'test' as const },
  ];
  const channels = judgeChannels([sample({ records }), sample({ kind: 'payout' })], RULES);
  expect(channels).toMatchObject([
    { environment: 'test', kind: 'refund', bySweep: 1, byWebhook: 0 },
    { environment: 'live', kind: 'refund', bySweep: 0, byWebhook: 1 },
  ]);
});

test('the store query is bounded, and reads four weeks for the usual gap', () => {
  expect(channelQuery(RULES)).toEqual({
    sinceMs: RULES.sinceMs,
    records: 2_000,
    rhythmSinceMs: NOW_MS - 28 * DAY_MS,
    rhythmRecords: 5_000,
  });
});
