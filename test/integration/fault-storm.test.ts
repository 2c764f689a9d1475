import { expect, test } from 'vitest';
import { faultStorm } from '../support/fault-storm.ts';

test('every hostile fault × 20: each time its typed outcome, no payout sent twice or taken for done, memory bounded', async () => {
  const figures = await faultStorm({ times: 20, rounds: 2 });
  expect(figures).toMatchObject({ wrong: [], sentOtherThanOnce: [] });
  expect(figures.modes).toBeGreaterThanOrEqual(30);
  expect(figures.requests).toBe(figures.modes * 20 * 2);
  expect(figures.outcomes).not.toHaveProperty('RESOLVED');
  expect(figures.peakRssMiB).toBeLessThan(400);
}, 120_000);
