import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ATTEMPT_LIMITS,
  type Attempts,
  attemptText,
  countedAttempt,
  proofText,
} from '../../../../src/domain/access/attempts.ts';

const NOW = Date.UTC(2026, 9, 1);
const LIMIT = { most: 3, windowMs: 10_000 };

/** Which of the attempts at these times are allowed. */
function allowed(times: readonly number[]): boolean[] {
  let kept: Attempts | null = null;
  return times.map((nowMs) => {
    const counted = countedAttempt(kept, nowMs, LIMIT);
    kept = counted;
    return counted.isAllowed;
  });
}

test.each([
  ['few', [0, 1, 2], [true, true, true]],
  ['one more', [0, 1, 2, 3], [true, true, true, false]],
  ['after the window', [0, 1, 2, 3, 10_000], [true, true, true, false, true]],
  ['many beyond the limit do not prolong it', [0, 1, 2, 3, 9_999, 10_000], [true, true, true, false, false, true]],
  ['the clock goes ahead', [0, 1, 2, 3, 86_400_000], [true, true, true, false, true]],
  ['the clock goes back: the window begins anew', [0, 1, 2, 3, -5_000], [true, true, true, false, true]],
])('attempts, %s', (_what, times, expected) => {
  expect(allowed(times.map((ms) => NOW + ms))).toEqual(expected);
});

test('no window has more attempts than the limit, whatever the times', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 3_000 }), { maxLength: 60 }), (steps) => {
      let nowMs = NOW;
      const times = steps.map((step) => {
        nowMs += step;
        return nowMs;
      });
      const taken = times.filter((_, index) => allowed(times)[index]);
      for (const atMs of taken) {
        // Two windows that touch may each be full.
        const near = taken.filter((other) => other >= atMs && other < atMs + LIMIT.windowMs);
        expect(near.length).toBeLessThanOrEqual(2 * LIMIT.most);
      }
    }),
  );
});

test('the first refused attempt of a window is marked, for the alert', () => {
  let kept: Attempts | null = null;
  const marks = [0, 1, 2, 3, 4, 5].map((ms) => {
    const counted = countedAttempt(kept, NOW + ms, LIMIT);
    kept = counted;
    return counted.isFirstRefused;
  });
  expect(marks).toEqual([false, false, false, true, false, false]);
});

test('spellings of one name are one account, and no account is an address', () => {
  expect(attemptText('account', 'Ada ')).toBe(attemptText('account', 'ADA'));
  expect(attemptText('account', 'Ada')).not.toBe(attemptText('address', 'Ada'));
  for (const scope of ['account', 'address'] as const) expect(attemptText(scope, '1')).not.toBe(proofText(1));
});

test('an account has eight attempts in a quarter of an hour, an address forty', () => {
  const windowMs = 15 * 60 * 1_000;
  expect(ATTEMPT_LIMITS).toEqual({ account: { most: 8, windowMs }, address: { most: 40, windowMs } });
});
