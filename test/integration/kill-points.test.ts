import { expect, test } from 'vitest';
import { killAtPoints, type PointName } from '../support/kill-points.ts';

// kill.test.ts kills at random times; here a kill cuts each step of a delivery in two. test/long/kills.test.ts has more points, and seeds.

const POINTS: readonly PointName[] = [
  'append: entries are inserted, and not committed',
  'commit of the log: some of its pages are written',
  'commit of the log is done, and no answer has left',
  'answer: some of a commit have left',
  'carrying out: events and records are written, and not committed',
  'carried out, and the log does not know',
  'forgetting: entries are deleted, and that is not committed',
];
const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);

test('kill -9 in the middle of each step of a delivery: nothing acknowledged is lost, and nothing is carried out twice', {
  tags: ['strace'],
}, async () => {
  const { acked, ...figures } = await killAtPoints(POINTS, seed);
  const none = { lost: 0, doubled: 0, undercounted: 0, overcounted: 0, wrongRecords: [], wrongAfter: [] };
  expect(figures).toMatchObject({ ...none, integrity: 'ok' });
  expect(acked).toBeGreaterThan(1_000);
});
