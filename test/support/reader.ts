import SQLite, { type Database } from 'better-sqlite3';
import { defineRowSum } from '../../src/store/sqlite/engine/row-sums.ts';
import { until } from './wait.ts';

/** A separate read-only connection. */
export function readerOf(path: string): Database {
  const database = new SQLite(path, { readonly: true, fileMustExist: true });
  defineRowSum(database); // for integrity_check
  return database;
}

/** Waits until every acknowledged delivery has been carried out into the database. */
export async function carriedOut(database: string, timeoutMs?: number): Promise<void> {
  using watched = watchCarryOut(database);
  await watched.carriedOut(timeoutMs);
}

/** For `carriedOut` many times: its connections stay open, since a new one first reads the whole schema. */
export function watchCarryOut(database: string) {
  const [books, log] = [readerOf(database), readerOf(database.replace(/\.db$/, '.inbox.db'))];
  const last = log.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'entries'").pluck();
  const done = books.prepare<[], number>('SELECT seq FROM carried_out').pluck();
  return {
    async carriedOut(timeoutMs?: number): Promise<void> {
      const end = last.get() ?? 0;
      await until(() => (done.get() ?? 0) >= end, 'everything is carried out', timeoutMs);
    },
    [Symbol.dispose]() {
      books.close();
      log.close();
    },
  };
}
