import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { packageFile } from '../../../../../src/package-root.ts';
import {
  createDatabaseFile,
  openDatabase,
  retryWhileBusy,
  writing,
} from '../../../../../src/store/sqlite/engine/database.ts';
import {
  expectSchema,
  type Migration,
  migrate,
  migrations,
  schemaVersion,
} from '../../../../../src/store/sqlite/engine/migrate.ts';
import { Deadline } from '../../../../../src/time/deadline.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

test('a machine that stands still for longer than the wait for a lock has waited a tenth of a second', () => {
  const standStill = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
  let looks = 0;
  const isFreeAtThird = () => {
    if (++looks === 3) return 'free';
    standStill();
    throw new SQLite.SqliteError('database is locked', 'SQLITE_BUSY');
  };
  expect(retryWhileBusy(isFreeAtThird, 200)).toBe('free');
});

const newPath = () => join(temporaryFolder(), 'tallyhook.db');

test('every connection syncs at each commit, although the engine would stop doing so with a write-ahead log', () => {
  const path = newPath();
  for (const options of [{ create: true }, {}, { readonly: true }]) {
    const database = openDatabase(path, options);
    const pragma = (name: string) => database.pragma(name, { simple: true });
    expect([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys')]).toEqual(['wal', 2, 1]);
    expect(Number(pragma('busy_timeout'))).toBeGreaterThanOrEqual(5_000);
    database.exec('SELECT 1');
    if (!('readonly' in options)) database.exec('CREATE TABLE IF NOT EXISTS t (x)');
    database.close();
  }
});

test('the database, its log and its index are private from their creation', () => {
  const path = join(temporaryFolder(), 'data', 'tallyhook.db');
  const database = openDatabase(path, { create: true });
  database.exec('CREATE TABLE t (x)');
  const files = readdirSync(join(path, '..'));
  expect(files.sort()).toEqual(['tallyhook.db', 'tallyhook.db-shm', 'tallyhook.db-wal']);
  for (const file of files) expect([file, statSync(join(path, '..', file)).mode & 0o777]).toEqual([file, 0o600]);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  database.close();
});

test('without `create` a missing file is an error, and none is made', () => {
  const path = newPath();
  expect(() => openDatabase(path)).toThrow(/There is no database at/);
  expect(existsSync(path)).toBe(false);
});

test('a file that is something else is refused, and keeps its content and mode', () => {
  const path = newPath();
  writeFileSync(path, 'mine', { mode: 0o640 });
  expect(() => createDatabaseFile(path)).toThrow('is not a database');
  expect([statSync(path).size, statSync(path).mode & 0o777]).toEqual([4, 0o640]);
});

test('a write that throws leaves nothing behind, and a read-only connection writes nothing', () => {
  const path = newPath();
  const database = openDatabase(path, { create: true });
  database.exec('CREATE TABLE t (x)');
  const insertAndFail = writing(database, () => {
    database.exec('INSERT INTO t VALUES (1)');
    throw new Error('no');
  });
  expect(insertAndFail).toThrow('no');
  expect(database.prepare('SELECT count(*) FROM t').pluck().get()).toBe(0);
  const reader = openDatabase(path, { readonly: true });
  expect(() => reader.exec('INSERT INTO t VALUES (1)')).toThrow(/readonly/);
  reader.close();
  database.close();
});

/** Writes for 15 ms, leaves the lock alone for 5 ms, and so on. Data: [better-sqlite3, database, number of transactions as shared memory]. */
const BUSY_WRITER = `
  const { workerData: [engine, path, shared], parentPort } = require('node:worker_threads');
  const database = new (require(engine))(path);
  const done = new Int32Array(shared);
  parentPort.postMessage('began');
  while (done[1] === 0) {
    database.exec('BEGIN IMMEDIATE; INSERT INTO t VALUES (1)');
    Atomics.wait(done, 1, 0, 15);
    database.exec('COMMIT');
    Atomics.add(done, 0, 1);
    Atomics.wait(done, 1, 0, 5);
  }`;

test('a write gets its turn between two transactions of a program that writes all the time', async () => {
  const path = newPath();
  const database = openDatabase(path, { create: true });
  database.exec('CREATE TABLE t (x); PRAGMA synchronous = OFF');
  const shared = new SharedArrayBuffer(8);
  const done = new Int32Array(shared);
  const engine = createRequire(import.meta.url).resolve('better-sqlite3');
  const writer = new Worker(BUSY_WRITER, { eval: true, workerData: [engine, path, shared] });
  await once(writer, 'message');
  const write = writing(database, () => Atomics.load(done, 0));
  const waited = Array.from({ length: 21 }, () => {
    const before = Atomics.load(done, 0);
    const turns = write() - before;
    Atomics.wait(done, 1, 0, 7);
    return turns;
  });
  Atomics.store(done, 1, 1);
  await once(writer, 'exit');
  database.close();
  expect(waited.sort((one, other) => one - other)[10], `${waited}`).toBeLessThanOrEqual(1);
});

test('a write that would wait for the lock for an hour gives up at the deadline of its process', () => {
  const path = newPath();
  const holder = openDatabase(path, { create: true });
  const deadline = new Deadline();
  const database = openDatabase(path, { deadline: deadline.shared });
  database.pragma('busy_timeout = 3600000');
  const write = writing(database, () => 'written');
  holder.exec('BEGIN IMMEDIATE');
  deadline.set(1);
  expect(write).toThrow('database is locked');
  holder.exec('ROLLBACK');
  expect(write()).toBe('written');
  for (const one of [holder, database]) one.close();
});

test('migrations are applied once, each in one transaction with its version row', () => {
  const database = openDatabase(newPath(), { create: true });
  expect(migrate(database, 5).length).toBe(migrations().length);
  expect(migrate(database, 6)).toEqual([]);
  expect(expectSchema(database)).toBe(migrations().length);
  expect(database.prepare('SELECT DISTINCT applied_at FROM schema_migrations').pluck().all()).toEqual([5]);
  database.close();
});

const step = (version: number, sql: string): Migration => ({ version, name: `step${version}`, sql, checksum: sql });

test('a migration that fails half-way leaves the schema before it, and can be tried again', () => {
  const database = openDatabase(newPath(), { create: true });
  const [first, broken, mended] = [
    step(1, 'CREATE TABLE a (x)'),
    'CREATE TABLE b (x); CREATE TABLE a (x)',
    'CREATE TABLE b (x)',
  ];
  expect(() => migrate(database, 0, [first, step(2, broken)])).toThrow(/already exists/);
  expect(schemaVersion(database)).toBe(1);
  expect(migrate(database, 0, [first, step(2, mended)]).map(({ version }) => version)).toEqual([2]);
  database.close();
});

test('a migration that was edited after its release is refused, and so is an older program', () => {
  const database = openDatabase(newPath(), { create: true });
  const [first, second] = [step(1, 'CREATE TABLE a (x)'), step(2, 'CREATE TABLE b (x)')];
  migrate(database, 0, [first, second]);
  expect(() => migrate(database, 0, [step(1, 'CREATE TABLE a (y)'), second])).toThrow(/Migration 1 .*not the one/);
  expect(() => migrate(database, 0, [first])).toThrow(/has schema 2, .*, which knows 1\./);
  expect(() => expectSchema(database, [first, second, step(3, '')])).toThrow(/has schema 2, .*, which needs 3\./);
  database.close();
});

test('a migration notes the program that applied it, and a refusal names that program and this one', () => {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  const database = openDatabase(newPath(), { create: true });
  const [first, second] = [step(1, 'CREATE TABLE a (x)'), step(2, 'CREATE TABLE b (x)')];
  // As the programs before 0.2.0 kept it.
  database.exec(`
    CREATE TABLE schema_migrations (
      version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE a (x);
    INSERT INTO schema_migrations VALUES (1, 'step1', 'CREATE TABLE a (x)', 5)`);
  expect(() => expectSchema(database, [first, second])).toThrow(
    `has schema 1, made by a Tallyhook before 0.2.0; this is Tallyhook ${version}, which needs 2.`,
  );
  migrate(database, 6, [first, second]);
  const programs = database.prepare('SELECT program FROM schema_migrations ORDER BY version').pluck();
  expect(programs.all()).toEqual([null, version]);
  database.exec("UPDATE schema_migrations SET program = '9.8.7' WHERE version = 2");
  expect(() => expectSchema(database, [first])).toThrow(
    `has schema 2, made by Tallyhook 9.8.7; this is Tallyhook ${version}, which knows 1.`,
  );
  database.close();
});

test('a gap among the shipped migrations is refused', () => {
  const folder = temporaryFolder();
  expect(() => migrations(folder)).toThrow(/No migrations/);
  writeFileSync(join(folder, '0001_one.sql'), '');
  writeFileSync(join(folder, '0003_three.sql'), '');
  expect(() => migrations(folder)).toThrow(/0003_three\.sql is out of line: number 2 was expected/);
});

test('of starters that migrate at once, one does it and the others find it done', async () => {
  const path = newPath();
  const starter = `
    const { parentPort, workerData: { home, path } } = require('node:worker_threads');
    (async () => {
      const { openDatabase } = await import(home + '/database.ts');
      const { migrate } = await import(home + '/migrate.ts');
      const database = openDatabase(path, { create: true });
      parentPort.postMessage(migrate(database, 0).length);
      database.close();
    })();`;
  const home = join(import.meta.dirname, '../../../../../src/store/sqlite/engine');
  const applied = await Promise.all(
    Array.from(
      { length: 3 },
      () =>
        new Promise<number>((resolve, reject) => {
          const worker = new Worker(starter, { eval: true, workerData: { home, path } });
          worker.once('message', resolve);
          worker.once('error', reject);
        }),
    ),
  );
  expect(applied.reduce((sum, count) => sum + count)).toBe(migrations().length);
});

/** Where the system lists the locks of files; elsewhere nothing can be seen of them. */
const LOCKS = process.platform === 'linux' ? ['/proc/locks'] : [];

test.each(LOCKS)(
  'a process that opens its database again keeps its lock (%s): without it, a program that reads beside it takes the log away',
  (locks) => {
    const path = join(temporaryFolder(), 'tallyhook.db');
    const held = () => {
      const { ino } = statSync(path);
      const lines = readFileSync(locks, 'utf8').split('\n');
      return lines.filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `)).length;
    };
    createDatabaseFile(path);
    const serving = openDatabase(path);
    serving.exec('CREATE TABLE kept (id INTEGER)');
    expect(held()).toBe(1);
    openDatabase(path, { readonly: true }).close();
    expect(held()).toBe(1);
    serving.close();
  },
);
