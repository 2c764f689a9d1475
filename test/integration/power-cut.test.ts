// @module-tag strace
import { beforeAll, describe, expect, test } from 'vitest';
import { patchedProgram, SHORT_LOGS } from '../support/patched-program.ts';
import { cutPower } from '../support/power/cuts.ts';
import { CUT_MODES } from '../support/power/disk.ts';
import { type Recording, record } from '../support/power/recording.ts';
import { finishMaking, MAKING, restartServe } from '../support/power/restart.ts';

// A power cut keeps what was fsynced, and any part of the rest. Every change of the disk by the real serve is recorded with
// strace, and every 200 that leaves; the replay cuts at sampled points, test:long at 100,000; there the same
// cuts of programs with a mistake lose acknowledged events.

const DELIVERIES = 60;
/** Cuts of each recording in each mode. */
const CUTS = 8;
const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? 1);

let recording: Recording;
let shortLogs: Recording;
beforeAll(async () => {
  recording = await record(DELIVERIES, seed);
  shortLogs = await record(DELIVERIES, seed, patchedProgram(...SHORT_LOGS));
});

const logOf = (database: string) => database.replace(/\.db$/, '.inbox.db');

/** Up to the last 200: the stop moves the whole log, too. */
const servedSteps = ({ steps }: Recording) =>
  steps.slice(
    0,
    steps.findLastIndex(({ type }) => type === 'ack'),
  );

describe('the recordings hold', () => {
  test('every 200, and the stop', () => {
    for (const { steps } of [recording, shortLogs]) {
      expect(steps.filter(({ type }) => type === 'ack')).toHaveLength(DELIVERIES);
      expect(steps.at(-1)?.type).not.toBe('ack');
    }
  });

  test('commits of the log by one thread, and of the books by another', () => {
    for (const { database, ...one } of [recording, shortLogs]) {
      const calls = servedSteps({ database, ...one });
      const served = calls.slice(calls.findIndex(({ type }) => type === 'ack')); // the books make the log
      const threadsOf = (path: string) =>
        new Set(served.flatMap((step) => (step.type === 'sync' && step.path === path ? [step.thread] : [])));
      const [books, log] = [threadsOf(`${database}-wal`), threadsOf(`${logOf(database)}-wal`)];
      expect([books.size > 0, log.size > 0, books.isDisjointFrom(log)]).toEqual([true, true, true]);
    }
  });

  test('write-ahead logs that begin anew', () => {
    const { database } = shortLogs;
    for (const file of [database, logOf(database)]) {
      const starts = servedSteps(shortLogs).filter(
        (step) => step.type === 'write' && step.path === `${file}-wal` && step.offset === 0,
      );
      expect(starts.length).toBeGreaterThan(1);
    }
  });
});

test.each(CUT_MODES)(
  'no power cut loses an acknowledged event when %s of the unsynced writes survive',
  async (mode) => {
    for (const one of [recording, shortLogs]) {
      const every = Math.floor(one.steps.length / CUTS);
      const { cuts, ...figures } = await cutPower(one, mode, { every, seed });
      expect(figures).toEqual({ lost: 0, damaged: [] });
      expect(cuts).toBeGreaterThanOrEqual(CUTS);
    }
  },
);

test('serve starts after a cut, and every acknowledged delivery, sent again, is a duplicate', async () => {
  const every = Math.ceil(shortLogs.steps.length / 2);
  const figures = await cutPower(shortLogs, 'torn', { every, seed, restart: restartServe });
  expect(figures).toEqual({ cuts: 2, lost: 0, damaged: [] });
});

test('a power cut while the database is made leaves one that starts', async () => {
  const making = { ...recording, steps: recording.steps.slice(0, MAKING) };
  const figures = await cutPower(making, 'torn', { every: 20, seed, restart: finishMaking });
  expect(figures).toEqual({ cuts: MAKING / 20, lost: 0, damaged: [] });
});
