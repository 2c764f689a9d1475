import { expect, test } from 'vitest';
import { Readiness } from '../../../src/serve/readiness.ts';

const clockAt = (nowMs: number) => ({ nowMs: () => nowMs });

test('at most five log lines per minute and fault', () => {
  const clock = { ms: 0, nowMs: () => clock.ms };
  const readiness = new Readiness(clock);
  expect(Array.from({ length: 7 }, () => readiness.failed('disk_full'))).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(readiness.failed('busy')).toBe(true);
  clock.ms = 60_000;
  expect(readiness.failed('disk_full')).toBe(true);
});

test('not ready from a delivery that was not kept until one is kept, or ten seconds have passed', () => {
  const clock = { ms: 0, nowMs: () => clock.ms };
  const readiness = new Readiness(clock);
  expect(readiness.reason()).toBeNull();
  readiness.failed('disk_full');
  expect(readiness.reason()).toBe('deliveries are not kept: disk_full');
  clock.ms = 10_001;
  expect(readiness.reason()).toBeNull();
  readiness.failed('queue_full');
  readiness.written();
  expect(readiness.reason()).toBeNull();
});

test('a fresh start is ready', () => {
  expect(new Readiness(clockAt(0)).reason()).toBeNull();
});
