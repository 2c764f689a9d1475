import { beforeAll, expect, test } from 'vitest';
import { type Lived, live } from '../support/months/live.ts';
import { makeWorld } from '../support/months/make.ts';
import { PERIODS } from '../support/months/world.ts';
import { randomRuns } from '../support/random-runs.ts';

const MONTHS = randomRuns(24);
const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);

/* The oracle of test/support/months knows what was planted, and none of the code of the product. */

const world = makeWorld(seed);
let lived: Lived;

beforeAll(async () => {
  lived = await live(world);
});

test('months that are closed one after the other say what was planted, item by item and row by row', async () => {
  expect([seed, lived.differences]).toEqual([seed, []]);
  for (let month = PERIODS.length; month < MONTHS; month += PERIODS.length)
    expect([seed + month, (await live(makeWorld(seed + month))).differences]).toEqual([seed + month, []]);
});

test('files in another order, a run after each, and each a second time: the same bytes', async () => {
  const other = await live(world, { order: (files) => files.toReversed(), twice: true });
  expect(other.texts).toEqual(lived.texts);
});

test('each month opened again and closed again: the same bytes, but for the state of exceptions', async () => {
  const { texts } = await live(world, { reopened: true });
  expect(texts.map(withoutExceptions)).toEqual(lived.texts.map(withoutExceptions));
});

/** A close ends what came late for it, so that it is there again when the month is opened. */
const withoutExceptions = (text: string) => text.replace(/"exception": (null|\{[^}]*\})/g, '"exception": null');
