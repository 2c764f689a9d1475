import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import SQLite from 'better-sqlite3';
import { StoreError } from '../../error.ts';
import { connect } from './connection.ts';
import { storeError } from './failure.ts';
import { likeOwnerOf, makeFile } from './owner.ts';
import { realFile } from './real-file.ts';

export interface InstanceLock {
  /** The operating system releases it too, when the process ends. */
  release(): void;
}

/**
 * Takes the lock on the database as a whole, in a small file beside it: each process that opens the database holds it
 * `shared`, `restore` needs it `exclusive`. It lies beside the real file, not beside a symbolic link to it. The file is an empty
 * database, because its locks end with the process and are the same on every platform.
 */
export function lockInstance(path: string, mode: 'shared' | 'exclusive'): InstanceLock {
  const database = realFile(path);
  const file = `${database}.lock`;
  const lock = openLockFile(file, { database, mode });
  try {
    lock.exec(mode === 'shared' ? 'BEGIN; SELECT count(*) FROM sqlite_schema' : 'BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!(error instanceof SQLite.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw lockError(error, file);
    throw inUse(path, mode, error);
  }
  return {
    release() {
      if (!lock.open) return;
      if (lock.inTransaction) lock.exec('ROLLBACK');
      lock.close();
    },
  };
}

/** The error of a database that another process has open. */
export function inUse(path: string, mode: 'shared' | 'exclusive', cause: unknown): StoreError {
  return new StoreError('locked', `The database ${path} is in use by another process.`, {
    hint:
      mode === 'exclusive'
        ? 'Stop `tallyhook serve`, then try again.'
        : 'Wait for the command that has it for itself to end, such as `tallyhook restore`.',
    cause,
  });
}

/** A damaged lock file holds nothing that is worth a backup; without one the next program makes it. */
function lockError(error: unknown, file: string): StoreError {
  const failure = storeError(error, file);
  if (failure.fault !== 'no_database' && failure.fault !== 'corrupt') return failure;
  return new StoreError('no_access', `The lock file ${file} is damaged.`, {
    hint: 'Stop every program that uses the database, delete the lock file, which holds no data, and start again.',
    cause: error,
  });
}

function openLockFile(file: string, { database, mode }: { database: string; mode: string }): SQLite.Database {
  try {
    if (!existsSync(file)) {
      makeFile(file);
      // A command of root's must not leave a lock that the service cannot open.
      const hasOwner = existsSync(database) || mode === 'exclusive';
      if (process.getuid?.() === 0 && hasOwner) likeOwnerOf(file, database);
    }
    return connect(file, { timeout: 0 });
  } catch (error) {
    if (error instanceof SQLite.SqliteError) throw lockError(error, file);
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') {
      throw new StoreError('no_folder', `The folder of the database does not exist: ${dirname(file)}.`, {
        hint: 'Make it, or change `database`.',
        cause: error,
      });
    }
    throw new StoreError('no_access', `The lock file ${file} cannot be made (${code}).`, {
      hint: `Give this user write access to ${dirname(file)}, or change \`database\`.`,
      cause: error,
    });
  }
}
