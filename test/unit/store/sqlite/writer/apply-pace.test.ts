import { expect, test } from 'vitest';
import { ApplyPace } from '../../../../../src/store/sqlite/writer/apply-pace.ts';

/** A group of deliveries every 2 ms for so long, as a steady stream brings them; applies whenever it may. */
function stream(pace: ApplyPace, perSecond: number, { fromMs, ms }: { fromMs: number; ms: number }): number {
  let goes = 0;
  for (let nowMs = fromMs; nowMs < fromMs + ms; nowMs += 2) {
    pace.kept(perSecond / 500, nowMs);
    if (pace.pauseMs(nowMs) > 0) continue;
    pace.applied();
    goes++;
  }
  return goes;
}

test('10,000 deliveries a second are no flood: applying goes on, but for the probes', () => {
  const pace = new ApplyPace();
  stream(pace, 10_000, { fromMs: 1_000, ms: 2_000 });
  // Of 100 groups in 200 ms the probe takes six or so.
  expect(stream(pace, 10_000, { fromMs: 3_000, ms: 400 })).toBeGreaterThan(180);
});

test.each([16_000, 25_000, 60_000])('in a flood of %i a second there is one apply step per window', (perSecond) => {
  const pace = new ApplyPace();
  stream(pace, perSecond, { fromMs: 1_000, ms: 1_600 });
  const goes = stream(pace, perSecond, { fromMs: 2_600, ms: 400 });
  expect(goes).toBeGreaterThanOrEqual(6);
  expect(goes).toBeLessThanOrEqual(10);
});

test('a sender who catches up for 400 ms is no flood, however fast', () => {
  const pace = new ApplyPace();
  stream(pace, 10_000, { fromMs: 1_000, ms: 1_000 });
  expect(stream(pace, 60_000, { fromMs: 2_000, ms: 400 })).toBeGreaterThan(180);
  expect(stream(pace, 10_000, { fromMs: 2_400, ms: 400 })).toBeGreaterThan(180);
});

test.each([11_900, 13_000])('applying keeps up with %i a second after a burst as before it', (perSecond) => {
  const pace = new ApplyPace();
  stream(pace, perSecond, { fromMs: 1_000, ms: 5_000 });
  stream(pace, 25_000, { fromMs: 6_000, ms: 400 });
  stream(pace, perSecond, { fromMs: 6_400, ms: 2_000 });
  expect(stream(pace, perSecond, { fromMs: 8_400, ms: 400 })).toBeGreaterThan(180);
});

test('a flood that stalls again and again is still a flood', () => {
  const pace = new ApplyPace();
  const goes = Array.from({ length: 10 }, (_, n) => stream(pace, 25_000, { fromMs: 1_000 + n * 1_000, ms: 890 }));
  // Of 445 groups in each second, but for the first ones.
  expect(Math.max(...goes.slice(2))).toBeLessThan(150);
});

test('deliveries that waited for applying are no flood: the first group of a probe does not count', () => {
  const pace = new ApplyPace();
  for (let nowMs = 1_000; nowMs < 4_000; nowMs += 20) {
    pace.kept(200, nowMs); // 10,000 a second, after long goes
    if (pace.pauseMs(nowMs) === 0) pace.applied();
  }
  expect(stream(pace, 10_000, { fromMs: 4_000, ms: 200 })).toBeGreaterThan(80);
});

test('a flood is over when it ebbs, or when nothing happened at all', () => {
  const pace = new ApplyPace();
  stream(pace, 25_000, { fromMs: 1_000, ms: 1_600 });
  stream(pace, 10_000, { fromMs: 2_600, ms: 800 });
  expect(stream(pace, 10_000, { fromMs: 3_400, ms: 400 })).toBeGreaterThan(180);
  const quiet = new ApplyPace();
  stream(quiet, 25_000, { fromMs: 1_000, ms: 1_600 });
  expect(quiet.pauseMs(2_800)).toBe(0);
});

test('above 25 deliveries per window the writer is receiving', () => {
  const pace = new ApplyPace();
  expect(pace.isReceiving(1_000)).toBe(false);
  stream(pace, 5_000, { fromMs: 1_000, ms: 200 });
  expect(pace.isReceiving(1_200)).toBe(true);
  expect(pace.isReceiving(1_400)).toBe(false);
});

test('after a fault applying pauses for 1 s, also while nothing arrives', () => {
  const pace = new ApplyPace();
  pace.failed(5_000);
  expect(pace.pauseMs(5_000)).toBe(1_000);
  expect(pace.pauseMs(5_999)).toBe(1);
  expect(pace.pauseMs(6_000)).toBe(0);
});

test.each([
  [0, 32],
  [16, 32],
  [64, 128],
  [2_000, 256],
])('after %i deliveries at once it moves %i records at one go', (deliveries, records) => {
  const pace = new ApplyPace();
  pace.kept(deliveries, 0);
  expect(pace.records).toBe(records);
});
