// @module-tag strace
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { defineRowSum } from '../../src/store/sqlite/engine/row-sums.ts';
import { temporaryFolder } from '../support/folder.ts';
import { LogWorld } from '../support/log-world.ts';
import { expectStrace } from '../support/power/recording.ts';
import { LAUNCHER } from '../support/program.ts';
import { refund, TestDatabase } from '../support/test-database.ts';

// What backup and restore make certain before they say that they are done, as strace sees it.

/** Runs a command under strace and returns its writes, syncs, deletions and renames, in order: `fsync NAME`, `rename NAME NAME`. */
function traced(db: Pick<TestDatabase, 'path' | 'folder'>, ...args: string[]): string[] {
  expectStrace();
  const log = join(temporaryFolder(), 'calls');
  const options = [
    '-f',
    '-y',
    '-o',
    log,
    '-e',
    'trace=pwrite64,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat',
  ];
  const program = [process.execPath, LAUNCHER, ...args];
  const env = { PATH: process.env.PATH ?? '', TALLYHOOK_DATABASE: db.path };
  const { status, stderr } = spawnSync('strace', [...options, ...program], { cwd: db.folder, env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes(db.folder) && !/ = -1 /.test(line))
    .map((line) => {
      const [, call = ''] = /^\d+ +(?:<\.\.\. )?(\w+)/.exec(line) ?? [];
      const paths = [...line.matchAll(/[<"]([^<>"]*)[>"]/g)]
        .map(([, path = '']) => path)
        .filter((path) => path.startsWith(db.folder));
      const names = paths.map((path) => path.slice(db.folder.length).replace(/\d{2,}/, 'N') || '/');
      return [call.replace('fdatasync', 'fsync'), ...names].join(' ');
    });
}

/** The last sync of a file must follow its last write. */
function isSynced(calls: readonly string[], name: string): boolean {
  return calls.lastIndexOf(`fsync ${name}`) > calls.lastIndexOf(`pwrite64 ${name}`);
}

function made(): TestDatabase {
  const db = new TestDatabase();
  onTestFinished(() => db.remove());
  db.keepAndApply(refund('R1', 'pending'));
  db.database.close();
  return db;
}

test('a backup is on disk before it gets its name, and its name before the command ends', () => {
  const calls = traced(made(), 'backup', 'backup.db');
  const named = calls.indexOf('rename /backup.db.partial-N /backup.db');
  expect(named).toBeGreaterThan(0);
  const before = calls.slice(0, named);
  expect(before).toContain('pwrite64 /backup.db.partial-N');
  expect(isSynced(before, '/backup.db.partial-N')).toBe(true);
  // Once more when the engine has done all it does, because its manual promises no sync of such a copy.
  const engineIsDone = before.lastIndexOf('unlink /backup.db.partial-N-journal');
  expect(engineIsDone).toBeGreaterThan(0);
  expect(before.slice(engineIsDone)).toContain('fsync /backup.db.partial-N');
  expect(calls.slice(named)).toContain('fsync /');
});

test('a restored database is on disk before it takes the place of the old one, and its name before the command ends', () => {
  const db = made();
  traced(db, 'backup', 'backup.db');
  const calls = traced(db, 'restore', 'backup.db', '--yes');
  const named = calls.indexOf('rename /tallyhook.db.restoring-N /tallyhook.db');
  expect(named).toBeGreaterThan(0);
  expect(calls.slice(0, named)).toContain('pwrite64 /tallyhook.db.restoring-N');
  expect(isSynced(calls.slice(0, named), '/tallyhook.db.restoring-N')).toBe(true);
  // The second names of the old files, before the first ones go.
  expect(calls.slice(0, named)).toContain('fsync /');
  expect(calls.slice(named)).toContain('fsync /');
});

test('what a killed process wrote and did not sync is synced before the next one counts on it', () => {
  const world = new LogWorld();
  onTestFinished(() => world.close());
  world.append([refund('R1', 'pending')]);
  const path = world.copy(); // in its write-ahead logs
  const calls = traced({ path, folder: dirname(path) }, 'backup', 'backup.db');
  for (const log of ['/tallyhook.db-wal', '/tallyhook.inbox.db-wal'])
    expect([log, calls.find((call) => call.endsWith(log))]).toEqual([log, `fsync ${log}`]);
  expect(calls).toContain('pwrite64 /tallyhook.db-wal');
});

test('the log of a damaged database is not left beside the restored one', () => {
  const db = made();
  traced(db, 'backup', 'backup.db');
  const later = new SQLite(db.path);
  defineRowSum(later); // for the indexes of checksums
  later.exec("UPDATE events SET key_id = 'of the old log'");
  const log = readFileSync(`${db.path}-wal`);
  later.close();
  writeFileSync(db.path, 'ruined');
  writeFileSync(`${db.path}-wal`, log);
  traced(db, 'restore', 'backup.db', '--yes');
  expect(existsSync(`${db.path}-wal`)).toBe(false);
  const restored = new SQLite(db.path, { readonly: true });
  expect(restored.prepare('SELECT key_id FROM events').pluck().all()).toEqual(['test-1']);
  restored.close();
});
