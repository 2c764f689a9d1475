import { expect, test } from 'vitest';
import { fuzzSigned } from '../support/fuzz/signed-fuzz.ts';

const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);

test(`600 mutated bodies, signed rightly, seed ${seed}: each is answered 200 and kept byte for byte`, async () => {
  const { problems } = await fuzzSigned(600, seed);
  expect(problems).toEqual([]);
});
