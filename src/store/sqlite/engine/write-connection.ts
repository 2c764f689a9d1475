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
 * A writing connection beside a running `serve` or without one; the file is made, with its schema, when it is missing.
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
      // Not by the file: another process may have made it, and not yet what belongs in it. In one transaction, so that
      // whoever opens it meanwhile finds nothing, or everything.
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
