import SQLite from 'better-sqlite3';
import { type Examined, failed, ok } from '../../examination.ts';
import type { Database } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import { migrate } from '../engine/migrate.ts';
import { defineRowSum } from '../engine/row-sums.ts';
import { rowCheck } from './row-check.ts';

/** What to do about damage; `backfill` reads what the service still has. */
export const RESTORE =
  'Keep the files, and restore a backup: tallyhook restore FILE; then fetch what is newer: tallyhook backfill';

const SCHEMA = 'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name';

/** Compares the definitions in the file with those that the migrations make. */
export function examineDefinitions(database: Database): Examined {
  const fresh = new SQLite(':memory:');
  try {
    defineRowSum(fresh);
    migrate(fresh, 0);
    const [expected, seen] = [fresh, database].map((one) =>
      one
        .prepare(SCHEMA)
        .all()
        .map((row) => JSON.stringify(row)),
    );
    const wrong = seen?.filter((row) => !expected?.includes(row)) ?? [];
    if (wrong.length === 0 && seen?.length === expected?.length)
      return ok('definitions', `${seen?.length} as migrated`);
    const names = wrong.map((row) => (JSON.parse(row) as { name: string }).name);
    return failed('definitions', `not as migrated: ${names.join(', ') || 'some are missing'}`, RESTORE);
  } finally {
    fresh.close();
  }
}

/** Compares every row with its sum, every body with its sha256, and every index with the rows. */
export function examineRows(database: Database): Examined {
  let damage: string[];
  try {
    damage = rowCheck(database).all();
  } catch (error) {
    damage = [storeError(error, database.name).message];
  }
  if (damage.length === 0) return ok('rows', 'each as its sum says');
  return failed('rows', damage.join('; '), RESTORE);
}
