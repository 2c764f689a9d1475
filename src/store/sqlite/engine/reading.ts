import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { TallyhookError } from '../../../domain/error.ts';
import { StoreError } from '../../error.ts';
import { type Database, openDatabase } from './database.ts';
import { storeError } from './failure.ts';
import { type InstanceLock, lockInstance } from './instance-lock.ts';
import { expectSchema } from './migrate.ts';

export interface ReadConnection {
  readonly database: Database;
  readonly schemaVersion: number;
  close(): void;
}

/** A connection that cannot write, of exactly this program's schema, with the shared instance lock. */
export function openForReading(path: string): ReadConnection {
  const file = resolve(path);
  const lock = lockShared(file);
  let database: Database | undefined;
  try {
    database = openDatabase(file, { readonly: true });
    const schemaVersion = expectSchema(database);
    return { database, schemaVersion, close: () => closeAll(lock, database) };
  } catch (error) {
    closeAll(lock, database);
    throw storeError(error, file);
  }
}

/** `work` on one state of the database; writes of others meanwhile are not seen. */
export function snapshot<Input extends unknown[], Result>(
  database: Database,
  work: (...input: Input) => Result,
): (...input: Input) => Result {
  return guarded(database, database.transaction(work));
}

/** `work`, throwing StoreErrors for the engine's errors. */
export function guarded<Input extends unknown[], Result>(
  database: Database,
  work: (...input: Input) => Result,
): (...input: Input) => Result {
  return (...input) => {
    try {
      return work(...input);
    } catch (error) {
      throw error instanceof TallyhookError ? error : storeError(error, database.name);
    }
  };
}

/** Takes the lock only beside an existing file, so that a mistyped path leaves nothing behind. */
export function lockShared(file: string): InstanceLock {
  if (existsSync(file) && statSync(file).isFile()) return lockInstance(file, 'shared');
  openDatabase(file, { readonly: true }).close(); // throws what is wrong
  throw new StoreError('no_database', `There is no database at ${file}.`);
}

function closeAll(lock: InstanceLock, database: Database | undefined): void {
  database?.close();
  lock.release();
}
