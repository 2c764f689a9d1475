import { expect, test } from 'vitest';
import { ApplyPace } from '../../../src/store/sqlite/apply-pace.ts';

/** Windows of 50 ms in which so many deliveries arrive each; the pace at the end of the last. */
function paceAfter(...arrivals: number[]): { pace: ApplyPace; nowMs: number } {
  const pace = new ApplyPace();
  for (const [window, deliveries] of arrivals.entries()) pace.kept(deliveries, 1_000 + window * 50);
  return { pace, nowMs: 1_000 + arrivals.length * 50 };
}

test('10,000 deliveries a second are no flood: applying never rests', () => {
  const { pace, nowMs } = paceAfter(500, 500);
  pace.applied();
  expect(pace.restMs(nowMs - 1)).toBe(0);
  expect(pace.restMs(nowMs)).toBe(0);
});

test('in a flood applying has one go per window', () => {
  const { pace, nowMs } = paceAfter(1_000, 1_000);
  expect(pace.restMs(nowMs)).toBe(0);
  pace.applied();
  expect(pace.restMs(nowMs + 10)).toBe(40);
  expect(pace.restMs(nowMs + 49.5)).toBe(1);
});

test('a flood is over when a window was quiet, or when nothing happened at all', () => {
  const ebbed = paceAfter(1_000, 100);
  ebbed.pace.applied();
  expect(ebbed.pace.restMs(ebbed.nowMs)).toBe(0);
  const { pace, nowMs } = paceAfter(1_000);
  pace.applied();
  expect(pace.restMs(nowMs + 60)).toBe(0);
});

test('after a fault it rests for a second, however quiet it is', () => {
  const pace = new ApplyPace();
  pace.failed(5_000);
  expect(pace.restMs(5_000)).toBe(1_000);
  expect(pace.restMs(5_999)).toBe(1);
  expect(pace.restMs(6_000)).toBe(0);
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
