import { expect, test } from 'vitest';
import { killRounds } from '../support/kill-rounds.ts';

const kills = Number(process.env.TALLYHOOK_KILLS ?? 1_000);
/** Most acks between two kills: 1,000 kills see two million. */
const mostAcks = Number(process.env.TALLYHOOK_KILL_ACKS ?? 4_000);
const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);

test(`${kills} × kill -9 under load, seed ${seed}`, async () => {
  const { wrongRecords, ...figures } = await killRounds({ kills, seed, mostAcks });
  console.info(JSON.stringify({ seed, ...figures, wrongRecords: wrongRecords.length }));
  expect(wrongRecords).toEqual([]);
  expect(figures).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, integrity: 'ok' });
});
