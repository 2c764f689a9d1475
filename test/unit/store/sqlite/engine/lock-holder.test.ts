import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../../../src/store/sqlite/engine/database.ts';
import { holderIn, lockHolderOf } from '../../../../../src/store/sqlite/engine/lock-holder.ts';
import { makeEmptyDatabase } from '../../../../support/empty-database.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

test.each<[string, string, number | null]>([
  ['a writer', '1: POSIX  ADVISORY  WRITE 4711 fe:00:131 120 120', 4711],
  ['one that locks more, as for leaving the write-ahead log', '1: POSIX  ADVISORY  WRITE 4711 fe:00:131 120 EOF', 4711],
  ['one that waits', '1: -> POSIX  ADVISORY  WRITE 4711 fe:00:131 120 120', null],
  ['a reader', '1: POSIX  ADVISORY  READ 4711 fe:00:131 124 124', null],
  ['a program that reads all of it, such as a copy', '1: POSIX  ADVISORY  READ 4711 fe:00:131 0 EOF', null],
  ['a checkpoint', '1: POSIX  ADVISORY  WRITE 4711 fe:00:131 121 121', null],
  ['another file', '1: POSIX  ADVISORY  WRITE 4711 fe:00:132 120 120', null],
  ['another disk', '1: POSIX  ADVISORY  WRITE 4711 fe:01:131 120 120', null],
  ['a process beyond this container', '1: POSIX  ADVISORY  WRITE 0 fe:00:131 120 120', null],
])('%s', (_, line, pid) => {
  expect(holderIn(`${line}\n`, { dev: 0xfe00n, ino: 131n })).toBe(pid);
});

test('the process that holds the lock of a real database, while it does; nobody where the platform does not say', () => {
  const self = existsSync('/proc/locks') ? { pid: process.pid, program: basename(process.execPath) } : null;
  const path = join(temporaryFolder(), 'tallyhook.db');
  makeEmptyDatabase(path);
  const database = openDatabase(path);
  try {
    expect(lockHolderOf(path)).toBeNull();
    database.exec('BEGIN IMMEDIATE');
    expect(lockHolderOf(path)).toEqual(self);
    database.exec('ROLLBACK');
    expect(lockHolderOf(path)).toBeNull();
  } finally {
    database.close();
  }
});
