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
  const [books, log] = [readerOf(database), readerOf(database.replace(/\.db$/, '.inbox.db'))];
  const last = log.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'entries'").pluck();
  const done = books.prepare<[], number>('SELECT seq FROM carried_out').pluck();
  const end = last.get() ?? 0;
  await until(() => (done.get() ?? 0) >= end, 'everything is carried out', timeoutMs);
  books.close();
  log.close();
}
