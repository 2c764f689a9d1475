import { expect, test } from 'vitest';
import { killRounds } from '../support/kill-rounds.ts';

// test/long/kills.test.ts kills a thousand times, and sees a program with a mistake lose acknowledged events.

const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);

test('2 × kill -9 under load: nothing acknowledged is lost, nothing is doubled, every record is the fold of its set', async () => {
  const figures = await killRounds({ kills: 2, seed, mostAcks: 400 });
  expect(figures).toMatchObject({
    lost: 0,
    doubled: 0,
    undercounted: 0,
    overcounted: 0,
    integrity: 'ok',
    wrongRecords: [],
  });
  expect(figures.acked).toBeGreaterThan(100);
  expect(figures.distinctAcked).toBeLessThan(figures.acked); // duplicates were among them
});
