import { type Database, openDatabase } from '../../src/store/sqlite/engine/database.ts';
import { migrate } from '../../src/store/sqlite/engine/migrate.ts';

/* A database that is filled by SQL, fast and without syncs: for a million records. */

export type { Database } from '../../src/store/sqlite/engine/database.ts';

export function makeBulkDatabase(path: string, nowMs: number): Database {
  const database = openDatabase(path, { create: true });
  migrate(database, nowMs);
  return database;
}

export function openBulkDatabase(path: string): Database {
  const database = openDatabase(path);
  database.pragma('synchronous = OFF');
  return database;
}
