import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RECORD_KINDS } from '../../src/domain/records/lifecycle.ts';
import { fold } from '../../src/domain/records/observe.ts';
import { foldInManyOrders, observationSets, textOf } from '../unit/domain/observations.ts';

const SETS = Number(process.env.TALLYHOOK_PERMUTATION_SETS ?? 40_000);

/** Millions of orders a kind; the seed is printed, so that a failure can be run again. */
test.each(RECORD_KINDS)('every order of a %s set, with duplicates, ends in one state', (kind) => {
  const seed = Number(process.env.TALLYHOOK_SEED ?? Date.now() % 2 ** 31);
  let folded = 0;
  fc.assert(
    fc.property(fc.oneof(observationSets(kind, 5), observationSets(kind, 16)), fc.integer(), (set, order) => {
      const state = textOf(fold(kind, set));
      folded += foldInManyOrders(kind, set, order, 120, (text) => {
        if (text !== state) expect(JSON.parse(text)).toEqual(JSON.parse(state));
      });
    }),
    { numRuns: SETS, seed },
  );
  console.log(`${kind}: ${folded} orders of ${SETS} sets, seed ${seed}`);
  expect(folded).toBeGreaterThanOrEqual(30 * SETS);
});
