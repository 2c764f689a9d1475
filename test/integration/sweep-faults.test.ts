import { expect, test } from 'vitest';
import { sweepStorm } from '../support/sweep-storm.ts';

/** `test/long/sweep-faults.test.ts` has a thousand of each fault. */
const TIMES = 1;

test(`every hostile fault × ${TIMES}: typed outcomes, no wrong status, and every record is checked again`, async () => {
  const { modes, checked, wrong, lost, outcomes } = await sweepStorm(TIMES);
  expect(checked).toBe(modes * TIMES);
  expect(wrong).toEqual([]);
  expect(lost).toBe(0);
  expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(checked);
  expect(Object.keys(outcomes).toSorted()).toEqual(['no_answer', 'rate_limited', 'unavailable', 'unreadable']);
});
