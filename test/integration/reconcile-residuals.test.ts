import { expect, test } from 'vitest';
import { makeFates } from '../support/residuals/fates.ts';
import { live } from '../support/residuals/live.ts';

/*
 * Groups that nobody designed, over three months that are closed one after the other: what a run lists of each adds up to what its lines moved
 * less what its record moved, in its currency, and what is carried was so the day before. test/long/ has the many.
 */

test.each([{ seed: 12 }, { seed: 23 }, { seed: 35, reopened: true }, { seed: 40, begun: true }])(
  'what is listed of a group is what it moved, of seed $seed',
  async ({ seed, ...beside }) => {
    expect(await live(makeFates(seed, 40), { seed, ...beside })).toEqual([]);
  },
);
