import { expect, test } from 'vitest';
import { growthMiB } from '../support/fault-storm.ts';
import { sweepStorm } from '../support/sweep-storm.ts';

const TIMES = Number(process.env.SWEEP_FAULT_TIMES ?? 1_000);
const MOST_GROWTH_MIB = 100;

test(`every hostile fault × ${TIMES}: no wrong status, nothing lost, flat memory`, async () => {
  const figures = await sweepStorm(TIMES);
  console.log(JSON.stringify(figures));
  expect(figures.checked).toBe(figures.modes * TIMES);
  expect(figures.wrong).toEqual([]);
  expect(figures.lost).toBe(0);
  // A service that is not there at all would give `no_answer` alone.
  expect(Object.keys(figures.outcomes).toSorted()).toEqual(['no_answer', 'rate_limited', 'unavailable', 'unreadable']);
  expect(growthMiB(figures.rssMiB)).toBeLessThan(MOST_GROWTH_MIB);
});
