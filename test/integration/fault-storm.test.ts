import { expect, test } from 'vitest';
import { faultStorm } from '../support/fault-storm.ts';

test('every hostile fault × 20: its typed outcome each time, no payout sent twice or taken as done, memory bounded', async () => {
  const figures = await faultStorm({ times: 20, rounds: 2 });
  expect(figures).toMatchObject({ wrong: [], sentOtherThanOnce: [] });
  expect(figures.modes).toBeGreaterThanOrEqual(30);
  expect(figures.requests).toBe(figures.modes * 20 * 2);
  expect(figures.outcomes).not.toHaveProperty('RESOLVED');
  expect(figures.peakRssMiB).toBeLessThan(400);
});
