import { expect, test } from 'vitest';
import { mistakesOf } from '../../support/months/expected.ts';
import { makeWorld } from '../../support/months/make.ts';
import { randomRuns } from '../../support/random-runs.ts';

/* The generator is an oracle only if its own sums hold: they are checked here without the product. */

test('at the end of each month the verdicts of a deed are what its lines moved less what its records did', () => {
  for (let seed = 1; seed <= randomRuns(40); seed++) expect([seed, mistakesOf(makeWorld(seed))]).toEqual([seed, []]);
});

test('one seed makes one world, another seed another', () => {
  const textOf = (seed: number) =>
    JSON.stringify(makeWorld(seed), (_, value) => (typeof value === 'bigint' ? String(value) : value));
  expect(textOf(5)).toBe(textOf(5));
  expect(textOf(5)).not.toBe(textOf(6));
});
