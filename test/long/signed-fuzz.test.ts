import { expect, test } from 'vitest';
import { fuzzSigned } from '../support/fuzz/signed-fuzz.ts';

const BODIES = Number(process.env.TALLYHOOK_FUZZ ?? 10_000_000);
const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);
/** Bodies for one `serve` and one database: bounds the disk and the memory of the comparison. */
const ROUND = 100_000;

test(`${BODIES} mutated bodies, signed rightly, from seed ${seed}: each 200 and kept byte for byte`, async () => {
  let [sent, duplicates] = [0, 0];
  for (let round = 0; sent < BODIES; round++) {
    const figures = await fuzzSigned(Math.min(ROUND, BODIES - sent), seed + round);
    sent += figures.sent;
    duplicates += figures.duplicates;
    console.info(JSON.stringify({ seed: seed + round, sent, duplicates, problems: figures.problems.length }));
    expect(figures.problems).toEqual([]);
  }
});
