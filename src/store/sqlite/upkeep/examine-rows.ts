import { type Examined, failed, ok } from '../../examination.ts';
import type { Database } from '../engine/database.ts';
import { definitionsOf } from '../engine/definitions.ts';
import { storeError } from '../engine/failure.ts';
import { rowCheck } from './row-check.ts';

/** What to do about damage; `backfill` reads what the service still has. */
export const RESTORE =
  'Keep the files, and restore a backup: tallyhook restore FILE; then fetch what is newer: tallyhook backfill';

/** Compares the definitions in the file with those that the migrations make. */
export function examineDefinitions(database: Database): Examined {
  const { count, faults } = definitionsOf(database);
  if (faults.length === 0) return ok('definitions', `${count} as migrated`);
  return failed('definitions', `not as migrated: ${faults.join(', ')}`, RESTORE);
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
