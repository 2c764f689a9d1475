import SQLite, { type Database } from 'better-sqlite3';

/** The write lock of a database, until it is closed; taken between two transactions of a program that writes them one after the other. */
export function takenLock(path: string): Database {
  // SQLite's own waiting sleeps up to 100 ms and misses the moment between two transactions.
  const database = new SQLite(path, { timeout: 0 });
  const end = performance.now() + 30_000;
  for (;;) {
    try {
      database.exec('BEGIN IMMEDIATE');
      return database;
    } catch (error) {
      if (!(error instanceof SQLite.SqliteError && error.code.startsWith('SQLITE_BUSY')) || performance.now() > end) {
        throw error;
      }
    }
  }
}
