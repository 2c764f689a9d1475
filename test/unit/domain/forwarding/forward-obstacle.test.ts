import { expect, test } from 'vitest';
import {
  LONGEST_HOLD_MS,
  obstacleOf,
  obstacleStep,
  obstacleText,
  type TargetPause,
} from '../../../../src/domain/forwarding/forward-obstacle.ts';

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

test('a hold counts up to two hours', () => {
  const untilMs = NOW + 2 * 3_600_000;
  expect(obstacleOf(held(untilMs), NOW)).toMatchObject({ is: 'held', untilMs });
  expect(obstacleOf(held(untilMs + 1), NOW)).toBeNull();
});

test('a hold whose beginning was not kept begins now', () => {
  expect(obstacleOf({ ...free, heldUntilMs: NOW + 1 }, NOW)).toEqual({
    is: 'held',
    sinceMs: NOW,
    untilMs: NOW + 1,
    status: null,
  });
});

test('a hold of which no status was kept says only that the target asked to wait', () => {
  expect(obstacleText({ is: 'held', sinceMs: 1, untilMs: 2, status: null }, (ms) => `T${ms}`)).toBe(
    'held since T1: it asked to wait until T2 (Retry-After)',
  );
});

test('a person enables the target: at once under a hold, after a 410 once its application works again', () => {
  expect(obstacleStep('shop', { is: 'disabled', sinceMs: 1 })).toBe(
    'Once its application takes news again: tallyhook forward enable shop',
  );
  expect(obstacleStep('shop', { is: 'held', sinceMs: 1, untilMs: 2, status: null })).toBe(
    'To try at once: tallyhook forward enable shop',
  );
});
