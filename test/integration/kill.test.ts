import { expect, test } from 'vitest';
import { killRounds } from '../support/kill-rounds.ts';

const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);

test('10 × kill -9 under load: nothing acknowledged is lost, nothing is doubled, every record is the fold of its set', async () => {
  const figures = await killRounds({ kills: 10, seed });
  expect(figures).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, integrity: 'ok', wrongRecords: [] });
  expect(figures.acked).toBeGreaterThan(1_000);
  expect(figures.distinctAcked).toBeLessThan(figures.acked); // duplicates were among them
}, 180_000);
