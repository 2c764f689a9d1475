import { expect, test } from 'vitest';
import { NO_RHYTHM, usualGapMs, withGap } from '../../../../src/domain/alerts/rhythm.ts';
import { continuedRun, isAlarming, type RefusedRun } from '../../../../src/domain/refusals/refused-run.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.parse('2026-11-20T21:52:00Z');

const run = (over: Partial<RefusedRun> = {}): RefusedRun => ({
  environment: 'live',
  likeness: 'signed',
  count: 12,
  firstAtMs: NOW_MS - 12 * MINUTE_MS,
  lastAtMs: NOW_MS - MINUTE_MS,
  reason: 'payload_signature_mismatch',
  path: '/webhooks/live',
  ...over,
});
const kept = (agoMs: number | null, gapMs = MINUTE_MS) => ({
  keptAtMs: agoMs === null ? null : NOW_MS - agoMs,
  usualGapMs: gapMs,
});

test.each<[string, Partial<RefusedRun>, ReturnType<typeof kept>, boolean]>([
  ['twelve in a row, and the deliveries of each minute are missed', {}, kept(13 * MINUTE_MS), true],
  ['no delivery was ever kept: the first key is wrong', {}, kept(null), true],
  ['two are too few', { count: 2 }, kept(13 * MINUTE_MS), false],
  ['three are enough', { count: 3 }, kept(13 * MINUTE_MS), true],
  ['a delivery came after them', {}, kept(30_000), false],
  [
    'a forger sends all day, and the delivery of each hour still comes',
    { count: 9_000 },
    kept(2 * HOUR_MS, HOUR_MS),
    false,
  ],
  ['the delivery of each hour is missed for three hours', {}, kept(3 * HOUR_MS + 1, HOUR_MS), true],
  ['refused a week ago, and nothing since', { lastAtMs: NOW_MS - 7 * DAY_MS - 1 }, kept(8 * DAY_MS), false],
  ['the delivery of each hour is late, and three hours are not over', {}, kept(3 * HOUR_MS, HOUR_MS), false],
  ['a delivery came with the last of them', {}, kept(MINUTE_MS, 0), false],
  ['a delivery came just before the last of them', {}, kept(MINUTE_MS + 1, 0), true],
  ['refused a week ago to the millisecond', { lastAtMs: NOW_MS - 7 * DAY_MS }, kept(8 * DAY_MS), true],
  ['our own key, a day ago to the millisecond', { likeness: 'ours', lastAtMs: NOW_MS - DAY_MS }, kept(1), true],
  ['one refusal under our own key, although others are kept', { likeness: 'ours', count: 1 }, kept(1), true],
  [
    'one body that we did not sign under our merchantSignature',
    { likeness: 'merchant_only', count: 1 },
    kept(null),
    false,
  ],
  ['three of them, and deliveries come', { likeness: 'merchant_only', count: 3 }, kept(HOUR_MS, HOUR_MS), false],
  ['three of them, and deliveries are missed', { likeness: 'merchant_only', count: 3 }, kept(13 * MINUTE_MS), true],
  ['a delivery came after them, as after other forgeries', { likeness: 'merchant_only' }, kept(30_000), false],
  ['our own key, a day ago', { likeness: 'ours', lastAtMs: NOW_MS - DAY_MS - 1 }, kept(1), false],
])('%s', (_, over, lately, expected) => {
  expect(isAlarming(run(over), lately, NOW_MS)).toBe(expected);
});

test('a run goes on until a delivery is kept, and a new one begins after it', () => {
  const before = run({ count: 3 });
  const news = run({ count: 2, firstAtMs: NOW_MS, lastAtMs: NOW_MS + 5, reason: 'no_keys' });
  expect(continuedRun(null, news, null)).toEqual(news);
  expect(continuedRun(before, news, before.lastAtMs - 1)).toEqual({ ...news, count: 5, firstAtMs: before.firstAtMs });
  expect(continuedRun(before, news, before.lastAtMs)).toEqual(news);
});

test('a run that was counted out of order keeps its latest time', () => {
  const [before, news] = [run({ lastAtMs: NOW_MS }), run({ firstAtMs: NOW_MS - 5, lastAtMs: NOW_MS - 1 })];
  expect(continuedRun(before, news, null)).toMatchObject({ count: 24, lastAtMs: NOW_MS, firstAtMs: before.firstAtMs });
});

test('a burst does not shorten the usual gap, and a single night does not make it a night', () => {
  let rhythm = NO_RHYTHM;
  expect(usualGapMs(rhythm)).toBe(0);
  for (let day = 0; day < 30; day++) {
    for (let n = 0; n < 500; n++) rhythm = withGap(rhythm, 10);
    for (let hour = 0; hour < 12; hour++) rhythm = withGap(rhythm, HOUR_MS);
    rhythm = withGap(rhythm, 12 * HOUR_MS);
  }
  // Half of each day has gaps of an hour, the other half is one gap: around a random moment 6.5 hours.
  expect(usualGapMs(rhythm) / HOUR_MS).toBeGreaterThan(6);
  expect(usualGapMs(rhythm) / HOUR_MS).toBeLessThan(7.5);
  expect(usualGapMs(withGap(NO_RHYTHM, -5))).toBe(0);
});
