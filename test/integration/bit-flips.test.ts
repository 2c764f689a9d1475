import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { flipBits, givenBack, isDamage, sent, stoppedDatabase } from '../support/bit-flips.ts';

const EVENTS = 90;

test('no flipped bit of a stopped database changes the output without a word', async () => {
  const path = await stoppedDatabase(EVENTS);
  const store = openStore(path);
  expect((await givenBack(store)).toSorted()).toEqual(sent(EVENTS).toSorted());
  expect((await store.upkeep.examine({ deep: true })).filter(isDamage)).toEqual([]);
  const { flips, harmless, reported, silent } = await flipBits(path, 60, Number(process.env.TALLYHOOK_TEST_SEED ?? 1));
  expect({ silent, flips: harmless + reported }).toEqual({ silent: [], flips });
  expect(reported).toBeGreaterThan(0);
});
