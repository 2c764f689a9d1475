import { expectAlone } from './alone.ts';
import { createDatabaseFile, type Database, openDatabase, writing } from './database.ts';
import { storeError } from './failure.ts';
import { type InstanceLock, lockInstance } from './instance-lock.ts';
import { expectSchema, migrate, schemaVersion } from './migrate.ts';
import { OpenFiles } from './open-files.ts';
import { lockShared } from './reading.ts';
import { realFile } from './real-file.ts';

export interface WriteConnection {
  readonly database: Database;
  /** Throws a StoreError when what was written is not in the file at the database's path. */
  expectWritten(): void;
  close(): void;
}

/**
 * Opens an existing database for writing, with its shared lock, beside a running `serve` or without one.
 *
 * @throws StoreError when there is no database, it is not ours, cannot be written, or has an older or newer schema
 */
export function openToWrite(path: string): WriteConnection {
  const file = realFile(path);
  return openUnder(lockShared(file), file, () => {});
}

/** As `openToWrite`, and makes a missing file with its schema. */
export function openOrCreate(path: string, nowMs: number): WriteConnection {
  const file = realFile(path);
  createDatabaseFile(file);
  return openUnder(lockInstance(file, 'shared'), file, (database) => {
    // The file alone proves nothing: another process may have made it, and not the schema yet. One transaction, so that
    // other processes find no schema or all of it.
    if (schemaVersion(database) === 0) writing(database, () => migrate(database, nowMs))();
  });
}

function openUnder(lock: InstanceLock, file: string, prepare: (database: Database) => void): WriteConnection {
  let database: Database | undefined;
  const close = () => {
    database?.close();
    lock.release();
  };
  try {
    database = openDatabase(file);
    prepare(database);
    expectSchema(database);
    expectAlone(database);
    const files = new OpenFiles(database);
    return { database, expectWritten: () => files.expectWritten(), close };
  } catch (error) {
    close();
    throw storeError(error, file);
  }
}
