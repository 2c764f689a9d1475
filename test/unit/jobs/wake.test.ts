import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Wake, wakeEveryMinute } from '../../../src/jobs/wake.ts';
import { systemClock } from '../../../src/time/clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let wake: Wake;
let calls: string[];
const calledMinutes = () => [...new Set(calls.map((time) => time.slice(11, 16)))];

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-29T00:58:20Z') });
  calls = [];
  wake = wakeEveryMinute(() => calls.push(new Date().toISOString()), systemClock);
});
afterEach(() => {
  wake.stop();
  vi.useRealTimers();
});

test('calls on the whole minute, also on the day on which clocks change, until it is stopped', async () => {
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
  expect(calls.filter((time) => time.includes(':00.'))).toHaveLength(5);
  expect(calledMinutes()).toEqual(['00:59', '01:00', '01:01', '01:02', '01:03']);
  wake.stop();
  const before = calls.length;
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
  expect(calls).toHaveLength(before);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['an hour back', -HOUR_MS],
  ['an hour ahead', HOUR_MS],
  ['400 days ahead', 400 * 24 * HOUR_MS],
  ['400 days back', -400 * 24 * HOUR_MS],
])('when the clock jumps %s it calls within a minute, and on every minute from then on', async (_how, jumpMs) => {
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  vi.setSystemTime(Date.now() + jumpMs);
  calls = [];
  await vi.advanceTimersByTimeAsync(MINUTE_MS); // walking through 400 days would take longer than a test may
  expect(calls.length).toBeGreaterThan(0);
  calls = [];
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(calledMinutes().length).toBeGreaterThanOrEqual(10);
});
