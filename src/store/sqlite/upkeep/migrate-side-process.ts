import type { Migrated, MigrateProgress, Watch } from '../../upkeep.ts';
import { openDatabase } from '../engine/database.ts';
import { migrations, schemaVersion } from '../engine/migrate.ts';
import { runInSideProcess } from './side-process.ts';

export interface MigrateOrder {
  /** The database. */
  readonly path: string;
  readonly nowMs: number;
}

/**
 * Migrates a database in a side process. The engine undoes the migration in which it is ended.
 *
 * @throws StoreError when it cannot be migrated, TallyhookError when `watch` cuts it short
 */
export function migrateInSideProcess(order: MigrateOrder, watch?: Watch<MigrateProgress>): Promise<Migrated> {
  const side = { module: 'store/sqlite/upkeep/migrate-process', cutShort: () => cutShort(order.path) };
  const { signal } = watch ?? new AbortController();
  return runInSideProcess<Migrated, MigrateProgress>(side, order, signal, watch?.onProgress);
}

function cutShort(file: string): string {
  const database = openDatabase(file, { readonly: true });
  try {
    const version = schemaVersion(database);
    return `Migrating was cut short: ${file} has schema ${version} of ${migrations().length}; the next run goes on there.`;
  } finally {
    database.close();
  }
}
