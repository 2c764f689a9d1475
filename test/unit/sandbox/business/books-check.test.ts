import fc from 'fast-check';
import { expect, it } from 'vitest';
import { leastMet, randomRuns } from '../../../support/random-runs.ts';
import { step, TriedWorld } from '../../../support/sandbox-world.ts';

it('conserves money: every balance and identity holds after each step of any sequence', async () => {
  let done = 0;
  let refusals = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 80, size: 'max' }), async (steps) => {
      const tried = new TriedWorld();
      for (const one of steps) {
        await tried.take(one);
        expect(tried.problems()).toEqual([]);
      }
      done += tried.done;
      refusals += tried.refusals;
      tried.world.close();
    }),
    { numRuns: randomRuns(100) },
  );
  // Enough steps must have succeeded, and enough been refused, for this test to prove anything.
  expect(done).toBeGreaterThan(leastMet(1_000));
  expect(refusals).toBeGreaterThan(leastMet(100));
});

it('the check itself sees money that appears, and reserves without a refund', () => {
  const { world } = new TriedWorld();
  world.state.books.accounts.set('m1/test/USD/available', 11_00_000_000n);
  world.state.books.accounts.set('m1/test/NGN/reserved_available', -1n);
  const tried = new TriedWorld();
  tried.world.state = world.state;
  expect(tried.problems().join('\n')).toMatch(/USD accounts add up to/);
  expect(tried.problems().join('\n')).toMatch(/reserved_available is below zero/);
  world.close();
});
