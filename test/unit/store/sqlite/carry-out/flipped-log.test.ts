import { expect, test } from 'vitest';
import { flipLogBits } from '../../../../support/log-flips.ts';
import { randomRuns } from '../../../../support/random-runs.ts';

// A bit of the log changes while it is appended to, before carried out entries are deleted, and while it is stopped. More in test/long.

test('no flipped bit of the log loses or changes an acknowledged delivery without a word', () => {
  const flips = randomRuns(40);
  const { silent, harmless, setAside, reported } = flipLogBits(flips, Number(process.env.TALLYHOOK_TEST_SEED ?? 1));
  expect(silent).toEqual([]);
  expect(harmless + setAside + reported).toBe(flips);
  expect(setAside).toBeGreaterThan(0);
});
