import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, copyFileSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { packageFile } from '../../../../../src/package-root.ts';
import { openDatabase } from '../../../../../src/store/sqlite/engine/database.ts';
import { lockInstance } from '../../../../../src/store/sqlite/engine/instance-lock.ts';
import { migrate, migrations } from '../../../../../src/store/sqlite/engine/migrate.ts';
import { openArchive } from '../../../../../src/store/sqlite/read/archive.ts';
import { migrateDatabase } from '../../../../../src/store/sqlite/upkeep/migrate-database.ts';
import { makeEmptyDatabase } from '../../../../support/empty-database.ts';
import { refund, START_MS, TestDatabase } from '../../../../support/test-database.ts';
import { WITH_MODE_BITS } from '../../../../support/unprivileged.ts';

const db = new TestDatabase();
db.keepAndApply(refund('R1', 'pending'));
afterAll(() => db.remove());
const at = (name: string) => join(db.folder, name);

writeFileSync(at('text.db'), 'This is a letter, not a database. '.repeat(100));
closeSync(openSync(at('empty.db'), 'w'));
mkdirSync(at('folder.db'));
const stranger = new SQLite(at('stranger.db'));
stranger.exec('CREATE TABLE contacts (name TEXT)');
stranger.close();
const older = openDatabase(at('older.db'), { create: true });
migrate(older, START_MS, migrations().slice(0, 1));
older.close();
makeEmptyDatabase(at('newer.db'));
const newer = openDatabase(at('newer.db'));
newer.exec(
  "INSERT INTO schema_migrations (version, name, checksum, applied_at, program) VALUES (99, 'later', 'x', 0, '9.8.7')",
);
newer.close();
makeEmptyDatabase(at('changed.db'));
const changed = openDatabase(at('changed.db'));
changed.exec("UPDATE schema_migrations SET checksum = 'x' WHERE version = 1");
changed.close();

test.each([
  ['no database', 'none.db', 'no_database', /There is no database at .*none\.db/, /tallyhook serve/],
  ['a missing folder', 'nowhere/none.db', 'no_database', /There is no database/, /tallyhook serve/],
  ['a file that is no database', 'text.db', 'no_database', /not a database/, /a file that Tallyhook made/],
  ['a folder', 'folder.db', 'no_database', /is not a file/, /Point `database` at a file/],
  ['an empty file', 'empty.db', 'no_database', /is empty/, /tallyhook restore FILE/],
  ["another application's database", 'stranger.db', 'no_database', /not one of Tallyhook's/, /another path/],
  [
    'an older schema',
    'older.db',
    'older_schema',
    /has schema 1, made by Tallyhook [\d.]+; this is Tallyhook [\d.]+, which needs \d+\./,
    /^Run: tallyhook migrate$/,
  ],
  [
    'a newer schema',
    'newer.db',
    'newer_schema',
    /has schema 99, made by Tallyhook 9\.8\.7; this is Tallyhook [\d.]+, which knows \d+\./,
    /Install Tallyhook 9\.8\.7 or newer/,
  ],
  [
    'a migration that is not ours',
    'changed.db',
    'other',
    /Migration 1 .* is not the one of this Tallyhook/,
    /No release of Tallyhook made this database/,
  ],
])('refused with a sentence and a hint: %s', (_what, name, fault, message, hint) => {
  const before = readdirSync(db.folder).filter((file) => file.startsWith('none') || file === 'nowhere');
  expect(() => openArchive(at(name))).toThrow(
    expect.objectContaining({ fault, message: expect.stringMatching(message), hint: expect.stringMatching(hint) }),
  );
  expect(before).toEqual([]);
  expect(readdirSync(db.folder).filter((file) => file.startsWith('none'))).toEqual([]);
});

test('a file that this user cannot read is refused with a sentence and a hint', { tags: ['mode-bits'] }, () => {
  const folder = at('private');
  mkdirSync(folder);
  const copy = new TestDatabase();
  copy.database.prepare('VACUUM INTO ?').run(join(folder, 'private.db'));
  copy.remove();
  chmodSync(join(folder, 'private.db'), 0o000);
  const program = `
    const { openArchive } = await import(${JSON.stringify(packageFile('src/store/sqlite/read/archive.ts'))});
    try { openArchive(process.argv[1]); } catch ({ fault, message, hint }) { console.log(JSON.stringify({ fault, message, hint })); }`;
  const [command = '', ...args] = [...WITH_MODE_BITS, process.execPath];
  const options = ['--input-type=module', '-e', program, join(folder, 'private.db')];
  const { stdout } = spawnSync(command, [...args, ...options], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual({
    fault: 'no_access',
    message: expect.stringMatching(/private\.db/),
    hint: expect.any(String),
  });
});

test('migrate refuses the same, leaves a stranger as it was, and brings an older one up to date', () => {
  expect(() => migrateDatabase(at('none.db'), START_MS)).toThrow(/There is no database/);
  expect(() => migrateDatabase(at('empty.db'), START_MS)).toThrow(/is empty/);
  expect(() => migrateDatabase(at('stranger.db'), START_MS)).toThrow(/not one of Tallyhook's/);
  const untouched = new SQLite(at('stranger.db'), { readonly: true });
  expect(untouched.pragma('journal_mode', { simple: true })).toBe('delete');
  untouched.close();
  expect(() => migrateDatabase(at('newer.db'), START_MS)).toThrow(/has schema 99/);
  const all = migrations().map(({ version }) => version);
  expect(migrateDatabase(at('older.db'), START_MS)).toMatchObject({
    schemaVersion: all.length,
    applied: all.slice(1).map((version) => ({ version })),
  });
  expect(migrateDatabase(at('older.db'), START_MS)).toEqual({ schemaVersion: all.length, applied: [] });
});

test('an open archive holds the shared lock: others may read, a restore is refused', async () => {
  const one = openArchive(db.path);
  const other = openArchive(db.path);
  expect(() => lockInstance(db.path, 'exclusive')).toThrow(expect.objectContaining({ fault: 'locked' }));
  await one.close();
  await other.close();
  const lock = lockInstance(db.path, 'exclusive');
  expect(() => openArchive(db.path)).toThrow(expect.objectContaining({ fault: 'locked' }));
  lock.release();
});

test('a damaged lock file is told from a damaged database: it may be deleted', () => {
  const path = at('damaged-lock.db');
  writeFileSync(`${path}.lock`, 'no database'.repeat(100));
  const refused = {
    message: `The lock file ${path}.lock is damaged.`,
    hint: expect.stringMatching('delete the lock file'),
  };
  for (const mode of ['shared', 'exclusive'] as const)
    expect(() => lockInstance(path, mode)).toThrow(expect.objectContaining(refused));
});

test('a stopped database reads the same with its log and without', async () => {
  const stopped = new TestDatabase();
  stopped.keepAndApply(refund('R1', 'pending'));
  const page = { limit: 10, order: 'newest' } as const;
  const withLog = openArchive(stopped.path);
  const seen = await withLog.events({}, page);
  await withLog.close();
  stopped.database.close();
  expect(readdirSync(stopped.folder).some((file) => file.endsWith('-wal'))).toBe(false);
  const withoutLog = openArchive(stopped.path);
  expect(await withoutLog.events({}, page)).toEqual(seen);
  await withoutLog.close();
  stopped.remove();
});

test('the log of a killed process is read without a recovery first', async () => {
  const killed = new TestDatabase();
  killed.keepAndApply(refund('R1', 'pending'), refund('R2', 'pending'));
  const left = join(killed.folder, 'left');
  mkdirSync(left);
  for (const part of ['', '-wal']) copyFileSync(killed.path + part, join(left, `tallyhook.db${part}`));
  const leftArchive = openArchive(join(left, 'tallyhook.db'));
  const events = await leftArchive.events({}, { limit: 10, order: 'oldest' });
  expect(events.map(({ reference }) => reference)).toEqual(['R1', 'R2']);
  await leftArchive.close();
  killed.remove();
});
