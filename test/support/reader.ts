import SQLite, { type Database } from 'better-sqlite3';
import { defineRowSum } from '../../src/store/sqlite/engine/row-sums.ts';
import { until } from './wait.ts';

/** A separate read-only connection. */
export function readerOf(path: string): Database {
  const database = new SQLite(path, { readonly: true, fileMustExist: true });
  defineRowSum(database); // for integrity_check
  return database;
}

const UNAPPLIED = `
  SELECT (SELECT coalesce(max(id), 0) FROM events) + (SELECT coalesce(max(id), 0) FROM variants)
       - (SELECT sum(last_id) FROM apply_progress)`;

/** Waits until everything kept has been applied. */
export async function applied(reader: Database): Promise<void> {
  const unapplied = reader.prepare<[], number>(UNAPPLIED).pluck();
  await until(() => unapplied.get() === 0, 'everything is applied');
}
