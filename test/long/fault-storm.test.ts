import { expect, test } from 'vitest';
import { faultStorm, growthMiB } from '../support/fault-storm.ts';

const times = Number(process.env.TALLYHOOK_FAULTS ?? 1_000);

test(`every hostile fault × ${times}, memory flat`, async () => {
  const { rssMiB, heapMiB, ...figures } = await faultStorm({ times, rounds: 20 });
  const growth = { rssGrowthMiB: growthMiB(rssMiB), heapGrowthMiB: growthMiB(heapMiB) };
  console.info(JSON.stringify({ times, ...figures, ...growth, rssMiB, heapMiB }));
  expect(figures).toMatchObject({ wrong: [], sentOtherThanOnce: [] });
  expect(figures.outcomes).not.toHaveProperty('RESOLVED');
  expect(figures.peakRssMiB).toBeLessThan(400);
  expect(growth.heapGrowthMiB).toBeLessThan(4);
  expect(growth.rssGrowthMiB).toBeLessThan(16);
});
