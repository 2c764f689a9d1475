import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { apart } from '../../src/jobs/apart.ts';
import { Reading, type ReadingParts } from '../../src/jobs/reading.ts';
import { takeStatements } from '../../src/reconcile/folder/take.ts';
import type { Operations } from '../../src/store/operations.ts';
import { openArchive } from '../../src/store/sqlite/read/archive.ts';
import { systemClock } from '../../src/time/clock.ts';
import { openOperations } from '../support/operations.ts';
import { PROFILE, walletCsv } from '../support/statement-files.ts';
import { DropFolder } from '../support/statements-folder.ts';
import { EXACT } from '../support/sweeping.ts';
import { TestDatabase } from '../support/test-database.ts';

// Jobs in a process of their own, as the jobs' thread starts them.

let db: TestDatabase;
beforeEach(() => {
  db = new TestDatabase();
});
afterEach(() => db.remove());

async function report(folder: string | null, cutOff = new AbortController().signal) {
  const loaded = loadConfig({ env: { TALLYHOOK_DATABASE: db.path }, cwd: db.folder });
  const config = { ...loaded, reports: { ...loaded.reports, folder } };
  const operations = openOperations(db.path, EXACT);
  const signal = new AbortController().signal;
  try {
    return await apart('report')({ config, operations, clock: systemClock, signal, cutOff, onWarning: () => {} });
  } finally {
    await operations.close();
  }
}

test('the result of a job and its error come back whole', async () => {
  const folder = join(db.folder, 'reports');
  mkdirSync(folder);
  const detail = 'no set of accounts has statements';
  expect(await report(folder)).toEqual({ outcome: 'done', detail, counts: { sets: 0 } });
  await expect(report(null)).rejects.toMatchObject({
    message: 'No folder and no mail address for scheduled reports is set.',
    kind: 'configuration',
    hint: expect.stringContaining('Set reports.folder'),
  });
});

test('a stop kills a process that reconciles at once, and gives its run up', async () => {
  const stopping = new AbortController();
  const abandoned: unknown[] = [];
  const abandonRun = async (order: unknown) => void abandoned.push(order);
  const ended = apart(
    'reconcile',
    new URL('../support/reconciling-process.ts', import.meta.url),
  )({
    config: loadConfig({ env: { TALLYHOOK_DATABASE: db.path }, cwd: db.folder }),
    operations: { runs: { abandonRun } } as unknown as Operations,
    ...{ clock: systemClock, signal: stopping.signal, cutOff: new AbortController().signal, onWarning: () => {} },
    onProgress: () => stopping.abort(),
  });
  expect(await ended).toEqual({ outcome: 'stopped', detail: 'cut short while it reconciled' });
  expect(abandoned).toEqual([{ run: 7 }]);
});

test('the cut-off of a stop kills the process', async () => {
  await expect(report(db.folder, AbortSignal.abort())).rejects.toMatchObject({
    message: 'The process of report ended with SIGKILL before the job had ended.',
    hint: expect.stringContaining('tallyhook schedule run report'),
  });
});

describe('a file that ends the process that reads it', () => {
  const OLD_MS = Date.parse('2026-10-31T12:00:00Z');
  const started: string[] = [];

  /** Takes the folder as the job does; returns what became of each file. */
  async function take(drop: DropFolder, more: Partial<ReadingParts> = {}) {
    const config = loadConfig({ env: { TALLYHOOK_DATABASE: db.path }, cwd: db.folder });
    const operations = openOperations(db.path, EXACT);
    const { signal } = new AbortController();
    const file = new URL('../support/dying-reader.ts', import.meta.url);
    const reading = new Reading(config, { statements: operations.statements, signal, file, ...more });
    const intake = async () => {
      const archive = openArchive(db.path);
      return archive.intake().finally(() => archive.close());
    };
    try {
      await takeStatements(drop.path, await intake(), {
        async attempt(one, profile, known) {
          started.push(one.path);
          return reading.attempt(one, profile, known);
        },
        intake: operations.intake,
        nowMs: () => systemClock.nowMs(),
        signal,
      });
      return Object.fromEntries((await intake()).map(({ path, outcome, reason }) => [path, [outcome, reason]]));
    } finally {
      await reading.close();
      await operations.close();
    }
  }

  function folder(...names: string[]): DropFolder {
    const drop = new DropFolder(join(db.folder, 'drop'));
    drop.put('wallet/profile.yaml', PROFILE, OLD_MS);
    for (const [index, name] of names.entries()) {
      drop.put(`wallet/${name}.csv`, walletCsv([[`C-${index}`, 100]]), OLD_MS);
    }
    started.length = 0;
    return drop;
  }

  test('is refused by name and remembered, and the others of its account go on at once', async () => {
    const drop = folder('bomb', 'good', 'killed');
    const refused = ['refused', 'bomb.csv: reading it needed more than the 64 MiB of memory that it may take.'];
    const first = await take(drop, { heapMebibytes: 64 });
    expect(first).toEqual({
      'wallet/bomb.csv': refused,
      'wallet/good.csv': ['taken', null],
      'wallet/killed.csv': ['waiting', 'killed.csv: reading it ended with SIGKILL.'],
    });
    // Something else may have killed it: it is tried once more, and then no more.
    started.length = 0;
    for (let run = 0; run < 2; run++) {
      expect(await take(drop, { heapMebibytes: 64 })).toEqual({
        ...first,
        'wallet/killed.csv': ['refused', 'killed.csv: reading it ended with SIGKILL.'],
      });
    }
    expect(started).toEqual(['wallet/killed.csv']);
  });

  test('is refused when it shows no progress', async () => {
    expect(await take(folder('silent'), { silenceMs: 50 })).toEqual({
      'wallet/silent.csv': ['refused', 'silent.csv: reading it took more than 0.05 s for one piece.'],
    });
  });
});
