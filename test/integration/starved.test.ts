import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { memoryOf } from '../support/attacks/under-attack.ts';
import { audit } from '../support/audit.ts';
import { temporaryFolder } from '../support/folder.ts';
import { Load } from '../support/load.ts';
import { Serve } from '../support/serve.ts';
import { until } from '../support/wait.ts';

/** The memory of serve may grow by this much while deliveries wait; without a limit of the queue it would grow on. */
const GROWTH_MIB = 100;

test('with a heap of 96 MiB, one core and a database that is locked: 503 beyond the queue, no exit, and nothing lost', {
  tags: ['linux'],
}, async () => {
  const cwd = temporaryFolder();
  const database = join(cwd, 'tallyhook.db');
  const node = [process.execPath, '--max-old-space-size=96'];
  writeFileSync(join(cwd, 'tallyhook.yaml'), 'receiver: { queueLimit: 8 }\n');
  const serve = await Serve.start({ cwd, database, node, under: ['taskset', '--cpu-list', '0'] });
  const beforeMiB = memoryOf(serve).nowMiB;
  const load = new Load(serve.url, { connections: 64, seed: 20 });
  await until(() => load.ackedTotal > 80, 'load is under way');
  const blocker = new SQLite(database);
  blocker.exec('BEGIN IMMEDIATE');
  await until(() => (load.statuses.get(503) ?? 0) > 100, 'deliveries are refused');
  blocker.exec('ROLLBACK');
  blocker.close();
  const before = load.ackedTotal;
  await until(() => load.ackedTotal > before + 80, 'it takes deliveries again');
  await load.stop();
  expect([...load.statuses.keys()].sort()).toEqual([200, 503]);
  expect(serve.logged('delivery not kept')).toMatchObject({ fault: 'queue_full' });
  expect([serve.ended, load.unanswered]).toEqual([false, 0]);
  expect(memoryOf(serve).peakMiB - beforeMiB).toBeLessThan(GROWTH_MIB);
  expect(await serve.stop()).toBe(0);
  expect(audit(database, load.acked)).toMatchObject({ lost: 0, doubled: 0, undercounted: 0, integrity: 'ok' });
});
