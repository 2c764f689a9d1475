import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { apart } from '../../src/jobs/apart.ts';
import type { Operations } from '../../src/store/operations.ts';
import { systemClock } from '../../src/time/clock.ts';
import { openOperations } from '../support/operations.ts';
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
