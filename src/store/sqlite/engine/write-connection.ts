import { resolve } from 'node:path';
import { createDatabaseFile, type Database, openDatabase, writing } from './database.ts';
import { storeError } from './failure.ts';
import { lockInstance } from './instance-lock.ts';
import { expectSchema, migrate, schemaVersion } from './migrate.ts';

export interface WriteConnection {
  readonly database: Database;
  close(): void;
}

/**
 * Opens a database for writing, beside a running `serve` or without one; makes a missing file with its schema.
 *
 * @throws StoreError when the file is not ours, cannot be written, or has an older or newer schema
 */
export function openOrCreate(path: string, nowMs: number): WriteConnection {
  const file = resolve(path);
  createDatabaseFile(file);
  const lock = lockInstance(file, 'shared');
  try {
    const database = openDatabase(file);
    try {
      // The file alone proves nothing: another process may have made it, and not the schema yet. One transaction, so that
      // other processes find no schema or all of it.
      if (schemaVersion(database) === 0) writing(database, () => migrate(database, nowMs))();
      expectSchema(database);
    } catch (error) {
      database.close();
      throw error;
    }
    return {
      database,
      close() {
        database.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw storeError(error, file);
  }
}
