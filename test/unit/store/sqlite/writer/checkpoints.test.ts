import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { sourceFile } from '../../../../../src/package-root.ts';
import { type Database, openDatabase } from '../../../../../src/store/sqlite/engine/database.ts';
import { Checkpoints } from '../../../../../src/store/sqlite/writer/checkpoints.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { until } from '../../../../support/wait.ts';

const PAGE = 4_096;

interface Bench {
  readonly path: string;
  readonly database: Database;
  /** Makes the log longer by so many pages at least. */
  grow(pages: number): void;
  /** Pages of the log that are in the database file. */
  moved(): number;
}

function openBench(): Bench {
  const path = join(temporaryFolder(), 'tallyhook.db');
  const database = openDatabase(path, { create: true });
  onTestFinished(() => void database.close());
  database.exec('CREATE TABLE t (x)');
  const insert = database.prepare('INSERT INTO t VALUES (zeroblob(?))');
  const size = database.prepare<[], { checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
  return {
    path,
    database,
    grow: (pages) => void insert.run(pages * PAGE),
    moved: () => size.get()?.checkpointed ?? 0,
  };
}

const threadOn = (path: string) => () =>
  new Worker(sourceFile('store/sqlite/writer/checkpoint-thread'), { workerData: { path } });

test('a log that has grown is moved into the file by another thread, and a short one waits', async () => {
  const { path, database, grow, moved } = openBench();
  let started = 0;
  const start = () => {
    started++;
    return threadOn(path)();
  };
  const failures: unknown[] = [];
  const checkpoints = new Checkpoints(database, start, (error) => void (error !== null && failures.push(error)));
  grow(50);
  checkpoints.startIfDue(0);
  expect(started).toBe(0);

  grow(2_000); // beyond the engine's own measure, and nothing of it moved by this thread
  expect(moved()).toBe(0);
  checkpoints.startIfDue(5); // only 5 ms after the last reading
  expect(started).toBe(0);
  checkpoints.startIfDue(10);
  await until(() => moved() >= 2_050, 'the log is in the file');
  expect(statSync(path).size).toBeGreaterThan(2_050 * PAGE);

  checkpoints.startIfDue(1_000); // nothing more to move
  expect([started, failures]).toEqual([1, []]);
  await checkpoints.close();
});

test('the log begins anew while it is written, and does not grow without an end', async () => {
  const { path, database, grow } = openBench();
  let grownDuring = 0;
  const failures: unknown[] = [];
  const checkpoints = new Checkpoints(database, threadOn(path), (error) => {
    grownDuring = 0;
    if (error !== null) failures.push(error);
  });
  for (let nowMs = 0; nowMs < 100_000; nowMs += 100) {
    grow(100);
    grownDuring += 100;
    checkpoints.startIfDue(nowMs);
    // The log grows by 8 MB during each checkpoint, however late the thread gets its turn.
    if (grownDuring >= 2_000) await until(() => grownDuring === 0, 'the checkpoint ends');
  }
  expect(failures).toEqual([]);
  expect(statSync(`${path}-wal`).size).toBeLessThan(64 * 1024 * 1024);
  await checkpoints.close();
});

test('a thread that cannot open the database is reported, and tried again later', async () => {
  const { path, database, grow, moved } = openBench();
  const paths = [join(temporaryFolder(), 'missing.db'), path];
  const failures: unknown[] = [];
  const start = () => threadOn(paths.shift() ?? '')();
  const checkpoints = new Checkpoints(database, start, (error) => void (error !== null && failures.push(error)));
  grow(1_500);
  checkpoints.startIfDue(0);
  await until(() => failures.length === 1, 'the fault is reported');
  expect(String(failures[0])).toContain('There is no database at');

  checkpoints.startIfDue(1_009); // too early
  expect(paths).toHaveLength(1);
  checkpoints.startIfDue(1_010);
  await until(() => moved() >= 1_500, 'the second thread moves the log');
  await checkpoints.close();
});

test('after closing there is no thread, also when the log grows', async () => {
  const { path, database, grow } = openBench();
  const checkpoints = new Checkpoints(database, threadOn(path), (error) => expect(error).toBeNull());
  await checkpoints.close();
  grow(2_000);
  checkpoints.startIfDue(1_000);
  await checkpoints.close(); // nothing to wait for
});

test('the file of the log is emptied once it hardly grows any more, and never beside a reader', async () => {
  const { path, database, grow, moved } = openBench();
  const failures: unknown[] = [];
  let ended = 0;
  const checkpoints = new Checkpoints(database, threadOn(path), (error) => {
    ended++;
    if (error !== null) failures.push(error);
  });
  const logBytes = () => statSync(`${path}-wal`).size;
  grow(2_000);
  checkpoints.startIfDue(0);
  await until(() => moved() >= 2_000 && ended === 1, 'the log is in the file');
  checkpoints.shrinkIfQuiet(); // it has grown since the last look
  expect([ended, logBytes() > 2_000 * PAGE]).toEqual([1, true]);

  grow(10); // the log begins anew
  const reader = openDatabase(path, { readonly: true });
  reader.exec('BEGIN; SELECT count(*) FROM t');
  for (let look = 0; look < 2; look++) checkpoints.shrinkIfQuiet();
  await until(() => ended === 2, 'the thread has tried');
  expect(logBytes()).toBeGreaterThan(2_000 * PAGE);
  grow(10); // the writer waits for none of it
  reader.close();

  checkpoints.shrinkIfQuiet();
  await until(() => ended === 3, 'the thread has emptied it');
  expect([logBytes(), failures]).toEqual([0, []]);
  checkpoints.shrinkIfQuiet();
  expect(logBytes()).toBe(0); // a small one stays
  await checkpoints.close();
});
