import fc from 'fast-check';
import { expect, test } from 'vitest';
import { APPLY_SHARE, ApplyPace, SAVED_MS } from '../../../../../src/store/sqlite/writer/apply-pace.ts';

const ROUNDING_MS = 0.001;

/** A pace that counts as receiving at `nowMs`. */
function receiving(nowMs: number): ApplyPace {
  const pace = new ApplyPace();
  pace.kept(100, nowMs);
  return pace;
}

/** Turns of `turnMs` in which `perSecond` arrive, and steps of at most 32 events whenever it may. The backlog afterwards. */
function backlogAfter(seconds: number, load: { turnMs: number; perSecond: number; applyMs: number; backlog: number }) {
  const pace = new ApplyPace();
  let { backlog } = load;
  for (let nowMs = 0; nowMs < seconds * 1_000; nowMs += load.turnMs) {
    const arrived = (load.perSecond * load.turnMs) / 1_000;
    pace.kept(arrived, nowMs);
    backlog += arrived;
    while (backlog > 0 && pace.pauseMs(nowMs) === 0) {
      const step = Math.min(backlog, 32);
      pace.applied(nowMs, nowMs + step * load.applyMs);
      nowMs += step * load.applyMs;
      backlog -= step;
    }
  }
  return backlog;
}

test.each([1, 3, 20])('while deliveries arrive, a step of %i ms uses up its share of the time', (stepMs) => {
  const pace = receiving(1_000);
  pace.applied(1_000 - SAVED_MS, 1_000); // nothing is saved any more
  const nextMs = 1_000 + pace.pauseMs(1_000);
  pace.applied(nextMs, nextMs + stepMs);
  expect(pace.pauseMs(nextMs + stepMs)).toBeCloseTo(stepMs / APPLY_SHARE - stepMs);
});

test('without deliveries applying goes on without a pause', () => {
  const pace = new ApplyPace();
  pace.kept(25, 1_000);
  pace.applied(1_000, 1_040);
  expect(pace.pauseMs(1_040)).toBe(0);
});

test('when deliveries pause, applying goes on at once', () => {
  const pace = receiving(1_000);
  pace.applied(1_000, 1_100);
  expect(pace.pauseMs(1_049)).toBeGreaterThan(100);
  expect(pace.pauseMs(1_100)).toBe(0);
});

test('what was applied without deliveries is not held against applying later', () => {
  const pace = new ApplyPace();
  for (let nowMs = 0; nowMs < 60_000; nowMs += 10) pace.applied(nowMs, nowMs + 10);
  pace.kept(100, 60_000);
  expect(pace.pauseMs(60_000)).toBeLessThanOrEqual(10 / APPLY_SHARE);
});

test('unused time counts only so far back', () => {
  const pace = receiving(1_000);
  const savedMs = SAVED_MS * APPLY_SHARE;
  pace.applied(1_000, 1_000 + savedMs / 2);
  expect(pace.pauseMs(1_000)).toBe(0);
  pace.applied(1_000, 1_000 + savedMs);
  expect(pace.pauseMs(1_000)).toBeCloseTo(SAVED_MS / 2);
});

test('while deliveries arrive, a backlog gets its share of the time, and one step more at most', () => {
  const turn = fc.record({
    keepMs: fc.double({ min: 0.01, max: SAVED_MS, noNaN: true }),
    stepMs: fc.double({ min: 0.01, max: 30, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 300 }), (turns) => {
      const pace = new ApplyPace();
      let [nowMs, appliedMs, longestMs] = [0, 0, 0];
      for (const { keepMs, stepMs } of turns) {
        nowMs += keepMs;
        pace.kept(100, nowMs);
        while (pace.pauseMs(nowMs) === 0) {
          pace.applied(nowMs, nowMs + stepMs);
          nowMs += stepMs;
          appliedMs += stepMs;
          longestMs = Math.max(longestMs, stepMs);
          pace.kept(100, nowMs);
          expect(appliedMs).toBeLessThan(APPLY_SHARE * (nowMs + SAVED_MS) + longestMs + ROUNDING_MS);
        }
      }
      expect(appliedMs).toBeGreaterThan(APPLY_SHARE * nowMs - ROUNDING_MS);
    }),
  );
});

test.each([
  { turnMs: 1, applyMs: 0.03 },
  { turnMs: 2, applyMs: 0.045 },
  { turnMs: 10, applyMs: 0.06 },
])('at 5,000 a second applying catches up after a burst: $applyMs ms an event, turns of $turnMs ms', (load) => {
  expect(backlogAfter(8, { ...load, perSecond: 5_000, backlog: 10_000 })).toBeLessThan(100);
});

test('above 25 deliveries per window the writer is receiving', () => {
  const pace = new ApplyPace();
  expect(pace.isReceiving(1_000)).toBe(false);
  for (let nowMs = 1_000; nowMs < 1_200; nowMs += 2) pace.kept(10, nowMs);
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
