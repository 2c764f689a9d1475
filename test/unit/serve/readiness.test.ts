import { expect, test } from 'vitest';
import { Trouble } from '../../../src/serve/readiness.ts';

const clockAt = (nowMs: number) => ({ nowMs: () => nowMs });

test('five lines a minute of one fault, and its own five of another', () => {
  const clock = { ms: 0, nowMs: () => clock.ms };
  const trouble = new Trouble(clock);
  expect(Array.from({ length: 7 }, () => trouble.add('disk_full'))).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(trouble.add('busy')).toBe(true);
  clock.ms = 60_000;
  expect(trouble.add('disk_full')).toBe(true);
});

test('not ready from a delivery that was not kept until one is kept, or ten seconds have passed', () => {
  const clock = { ms: 0, nowMs: () => clock.ms };
  const trouble = new Trouble(clock);
  expect(trouble.reason()).toBeNull();
  trouble.add('disk_full');
  expect(trouble.reason()).toBe('deliveries are not kept: disk_full');
  clock.ms = 10_001;
  expect(trouble.reason()).toBeNull();
  trouble.add('queue_full');
  trouble.over();
  expect(trouble.reason()).toBeNull();
});

test('a fresh start is ready', () => {
  expect(new Trouble(clockAt(0)).reason()).toBeNull();
});
