import { statSync, utimesSync } from 'node:fs';
import SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { isDefect } from '../../../../../src/store/sqlite/engine/failure.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

test('whether an error is a defect of ours follows from its code alone: nothing is tried in the working folder', () => {
  const [before, folder] = [process.cwd(), temporaryFolder()];
  utimesSync(folder, 0, 0);
  process.chdir(folder);
  const isOurs = (code: string) => isDefect(new SQLite.SqliteError('It failed.', code));
  const ofMachine = ['SQLITE_IOERR_WRITE', 'SQLITE_CANTOPEN', 'SQLITE_BUSY_RECOVERY', 'SQLITE_NOMEM'];
  const ours = ['SQLITE_CONSTRAINT_CHECK', 'SQLITE_ERROR', 'SQLITE_MISMATCH'];
  try {
    expect([...ofMachine, ...ours].filter(isOurs)).toEqual(ours);
    expect(statSync(folder).mtimeMs).toBe(0);
  } finally {
    process.chdir(before);
  }
});
