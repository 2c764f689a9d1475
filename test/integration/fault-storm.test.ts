import { expect, test } from 'vitest';
import { faultStorm } from '../support/fault-storm.ts';

/** `test/long/fault-storm.test.ts` has a thousand of each. */
const TIMES = 2;

test(`every hostile fault × ${TIMES}: its typed outcome each time, no payout sent twice or taken as done, memory bounded`, async () => {
  const figures = await faultStorm({ times: TIMES, rounds: 2 });
  expect(figures).toMatchObject({ wrong: [], sentOtherThanOnce: [] });
  expect(figures.modes).toBeGreaterThanOrEqual(30);
  expect(figures.requests).toBe(figures.modes * TIMES * 2);
  expect(figures.outcomes).not.toHaveProperty('RESOLVED');
  expect(figures.peakRssMiB).toBeLessThan(400);
});
