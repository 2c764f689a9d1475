import fc from 'fast-check';
import { expect, it } from 'vitest';
import { step, TriedWorld } from '../support/sandbox-world.ts';

const RUNS = Number(process.env.SANDBOX_BOOKS_RUNS ?? 20_000);

it(`conserves money over ${RUNS} long sequences`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 200, size: 'max' }), async (steps) => {
      const tried = new TriedWorld();
      for (const one of steps) {
        await tried.take(one);
        expect(tried.problems()).toEqual([]);
      }
      tried.world.close();
    }),
    { numRuns: RUNS },
  );
});
