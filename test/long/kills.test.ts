import { expect, test } from 'vitest';
import { killRounds } from '../support/kill-rounds.ts';

const kills = Number(process.env.TALLYHOOK_KILLS ?? 1_000);
const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);

test(`${kills} × kill -9 under load, seed ${seed}`, async () => {
  const { wrongRecords, ...figures } = await killRounds({ kills, seed });
  console.info(JSON.stringify({ seed, ...figures, wrongRecords: wrongRecords.length }));
  expect(wrongRecords).toEqual([]);
  expect(figures).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, integrity: 'ok' });
});
