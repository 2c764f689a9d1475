// @module-tag strace
import { beforeAll, expect, test } from 'vitest';
import { cutPower } from '../support/power/cuts.ts';
import { CUT_MODES } from '../support/power/disk.ts';
import { type Recording, record } from '../support/power/recording.ts';

// A power cut keeps what was fsynced, and any part of the rest. Every change of the disk is recorded with strace; the
// replay cuts at sampled points, test:long at every one.

const EVENTS = 300;
const CUTS = 100;
const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);

let full: Recording;
beforeAll(() => {
  full = record(EVENTS, 'FULL');
}, 120_000);

test('the recording holds every acknowledgement, and a checkpoint on the way', () => {
  const { steps, database } = full;
  expect(steps.filter(({ type }) => type === 'ack').at(-1)).toMatchObject({ upTo: EVENTS });
  const pagesWritten = steps.findIndex(
    (step) => step.type === 'write' && step.path === database && step.offset > 40_960,
  );
  expect(pagesWritten).toBeGreaterThan(0);
  expect(steps.slice(pagesWritten).some(({ type }) => type === 'ack')).toBe(true);
});

test('the recording holds checkpoints by a thread beside the one that writes, and logs that begin anew', () => {
  const { steps, database } = full;
  const syncs = steps.filter((step) => step.type === 'sync');
  const threadsOf = (path: string) => new Set(syncs.filter((step) => step.path === path).map(({ thread }) => thread));
  expect(threadsOf(database).size).toBe(2);
  const begun = steps.filter((step) => step.type === 'write' && step.path === `${database}-wal` && step.offset === 0);
  expect(begun.length).toBeGreaterThan(1);
});

test.each(CUT_MODES)(
  'no power cut loses an acknowledged event when %s of the unsynced writes survive',
  (mode) => {
    const every = Math.floor(full.steps.length / CUTS);
    const { cuts, ...figures } = cutPower(full, mode, { every, seed });
    expect(figures).toEqual({ lost: 0, damaged: [] });
    expect(cuts).toBeGreaterThanOrEqual(CUTS);
  },
  120_000,
);

test('a power cut while the database is made leaves one that starts', () => {
  const making = { ...full, steps: full.steps.slice(0, 40) };
  for (const mode of CUT_MODES)
    for (let cut = 1; cut <= 10; cut++)
      expect([mode, cutPower(making, mode, { seed: cut })]).toEqual([mode, { cuts: 40, lost: 0, damaged: [] }]);
}, 120_000);

test('the proof can fail: with synchronous NORMAL the same cuts lose acknowledged events', () => {
  const normal = record(EVENTS, 'NORMAL');
  const { lost } = cutPower(normal, 'none', { every: Math.ceil(normal.steps.length / 10), seed });
  expect(lost).toBeGreaterThan(0);
}, 120_000);
