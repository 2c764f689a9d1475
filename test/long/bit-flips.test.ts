import { expect, test } from 'vitest';
import { flipBits, stoppedDatabase } from '../support/bit-flips.ts';
import { flipLogBits } from '../support/log-flips.ts';

const FLIPS = Number(process.env.TALLYHOOK_FLIPS ?? 4_000);

test('no flipped bit of a stopped database changes the output without a word', { timeout: 7_200_000 }, async () => {
  const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);
  const { harmless, reported, silent } = await flipBits(await stoppedDatabase(600), FLIPS, seed);
  console.log(`${FLIPS} flips, seed ${seed}: ${harmless} harmless, ${reported} reported, ${silent.length} silent`);
  expect(silent).toEqual([]);
});

test('no flipped bit of the log loses or changes an acknowledged delivery without a word', {
  timeout: 7_200_000,
}, () => {
  const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);
  const { harmless, setAside, reported, silent } = flipLogBits(FLIPS, seed);
  console.log(
    `${FLIPS} flips of the log, seed ${seed}: ${harmless} harmless, ${setAside} set aside, ${reported} reported, ${silent.length} silent`,
  );
  expect(silent).toEqual([]);
});
