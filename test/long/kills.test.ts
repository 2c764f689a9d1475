import { expect, test } from 'vitest';
import { killAtPoints, POINT_NAMES } from '../support/kill-points.ts';
import { killRounds } from '../support/kill-rounds.ts';

const kills = Number(process.env.TALLYHOOK_KILLS ?? 1_000);
/** Most acks between two kills: 1,000 kills see two million. */
const mostAcks = Number(process.env.TALLYHOOK_KILL_ACKS ?? 4_000);
const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);

test(`${kills} × kill -9 under load, seed ${seed}`, async () => {
  const { wrongRecords, ...figures } = await killRounds({ kills, seed, mostAcks });
  console.info(JSON.stringify({ seed, ...figures, wrongRecords: wrongRecords.length }));
  expect(wrongRecords).toEqual([]);
  expect(figures).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, overcounted: 0, integrity: 'ok' });
});

const atPoints = Number(process.env.TALLYHOOK_POINT_KILLS ?? 110);

test(`${atPoints} × kill -9 in the middle of each step of a delivery, seed ${seed}`, async () => {
  const points = Array.from({ length: atPoints }, (_, n) => POINT_NAMES[n % POINT_NAMES.length] ?? POINT_NAMES[0]);
  const { wrongRecords, ...figures } = await killAtPoints(points as typeof POINT_NAMES, seed);
  console.info(JSON.stringify({ seed, kills: atPoints, ...figures, wrongRecords: wrongRecords.length }));
  expect(wrongRecords).toEqual([]);
  expect(figures).toMatchObject({
    lost: 0,
    doubled: 0,
    undercounted: 0,
    overcounted: 0,
    wrongAfter: [],
    integrity: 'ok',
  });
});
