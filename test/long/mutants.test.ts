import { expect, test } from 'vitest';
import { GOAL, judgeSample } from '../mutants/sample.ts';

const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);
const count = Number(process.env.TALLYHOOK_MUTANTS ?? 200);

test('the types and the unit tests catch 95 % of the small changes of what decides', async () => {
  const { caught, byTypes, timedOut, survivors } = await judgeSample({ seed, count });
  const total = caught + survivors.length;
  console.log(
    `seed ${seed}: ${caught} of ${total} mutants caught, ${byTypes} of them by the types, ${timedOut} by the time limit`,
  );
  expect(byTypes).toBeGreaterThan(0);
  expect(caught / total).toBeGreaterThanOrEqual(GOAL);
});
