import { expect, test } from 'vitest';
import { cutPower } from '../support/power/cuts.ts';
import { CUT_MODES } from '../support/power/disk.ts';
import { record } from '../support/power/recording.ts';

const events = Number(process.env.TALLYHOOK_CUT_EVENTS ?? 600);
const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);

test.each(CUT_MODES)(
  `a power cut at every change of the disk, %s of the unsynced writes surviving, seed ${seed}`,
  (mode) => {
    const figures = cutPower(record(events, 'FULL'), mode, { seed });
    console.info(JSON.stringify({ mode, seed, events, ...figures }));
    expect(figures).toMatchObject({ lost: 0, damaged: [] });
  },
);

test('the same with synchronous NORMAL loses acknowledged events', () => {
  const figures = cutPower(record(events, 'NORMAL'), 'none', { seed });
  console.info(JSON.stringify({ mode: 'none', synchronous: 'NORMAL', events, cuts: figures.cuts, lost: figures.lost }));
  expect(figures.lost).toBeGreaterThan(0);
});
