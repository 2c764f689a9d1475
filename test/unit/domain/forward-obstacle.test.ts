import { expect, test } from 'vitest';
import { LONGEST_HOLD_MS, obstacleOf, obstacleText, type TargetPause } from '../../../src/domain/forward-obstacle.ts';

const NOW = 1_000_000_000_000;
const free: TargetPause = { disabledAtMs: null, heldAtMs: null, heldUntilMs: null, heldStatus: null };
const held = (heldUntilMs: number) => ({ ...free, heldAtMs: NOW - 5, heldUntilMs, heldStatus: 429 });

test.each([
  ['nothing', free, null],
  ['a hold that lasts', held(NOW + 1), { is: 'held', sinceMs: NOW - 5, untilMs: NOW + 1, status: 429 }],
  ['a hold that has ended', held(NOW), null],
  ['a hold that a wrong clock wrote', held(NOW + LONGEST_HOLD_MS + 1), null],
  ['a 410', { ...free, disabledAtMs: 7 }, { is: 'disabled', sinceMs: 7 }],
  ['a 410 within a hold', { ...held(NOW + 1), disabledAtMs: 7 }, { is: 'disabled', sinceMs: 7 }],
] as const)('%s', (_case, pause, expected) => {
  expect(obstacleOf(pause, NOW)).toEqual(expected);
});

test('the text has since when and why, and of a hold its end', () => {
  const time = (ms: number) => `T${ms}`;
  expect(obstacleText({ is: 'disabled', sinceMs: 1 }, time)).toBe('disabled since T1: it answered 410');
  expect(obstacleText({ is: 'held', sinceMs: 1, untilMs: 2, status: 429 }, time)).toBe(
    'held since T1: it answered 429 and asked to wait until T2 (Retry-After)',
  );
});
