import { expect, test } from 'vitest';
import { killAtPoints, type PointName } from '../support/kill-points.ts';

// kill.test.ts kills at random times; here a kill cuts a step of a delivery in two. test/long/kills.test.ts has every point, and seeds.

const POINTS: readonly PointName[] = [
  'commit of the log: some of its pages are written',
  'carried out, and the log does not know',
];
const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);

test('kill -9 in the middle of a step of a delivery: nothing acknowledged is lost, and nothing is carried out twice', {
  tags: ['strace'],
}, async () => {
  const { acked, ...figures } = await killAtPoints(POINTS, seed);
  const none = { lost: 0, doubled: 0, undercounted: 0, overcounted: 0, wrongRecords: [], wrongAfter: [] };
  expect(figures).toMatchObject({ ...none, integrity: 'ok' });
  expect(acked).toBeGreaterThan(100);
});
