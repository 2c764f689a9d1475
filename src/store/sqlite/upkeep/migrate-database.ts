import { resolve } from 'node:path';
import type { Migrated, MigrateProgress } from '../../upkeep.ts';
import { openDatabase } from '../engine/database.ts';
import { expectDefinitions } from '../engine/definitions.ts';
import { storeError } from '../engine/failure.ts';
import { expectTables, type Migration, migrate, migrations, refuseForeign, schemaVersion } from '../engine/migrate.ts';
import { lockShared } from '../engine/reading.ts';
import { expectBooksOfLog } from '../log/known-log.ts';

/**
 * Migrates the database at `path`; throws when there is none, it is empty, or another program made it. `report` is called before each
 * migration.
 */
export function migrateDatabase(
  path: string,
  nowMs: number,
  report: (progress: MigrateProgress) => void = () => {},
): Migrated {
  const file = resolve(path);
  expectBooksOfLog(file);
  const lock = lockShared(file);
  try {
    refuseForeignFile(file);
    const database = openDatabase(file);
    try {
      expectDefinitions(database);
      const all = migrations();
      const before = schemaVersion(database);
      const onBegin = ({ version, name }: Migration) =>
        report({ name, applied: version - before - 1, total: all.length - before });
      const applied = migrate(database, nowMs, all, onBegin).map(({ version, name }) => ({ version, name }));
      return { schemaVersion: schemaVersion(database), applied };
    } finally {
      database.close();
    }
  } catch (error) {
    throw storeError(error, file);
  } finally {
    lock.release();
  }
}

/** Read-only, because opening a database for writing already changes its journal mode. */
function refuseForeignFile(file: string): void {
  const database = openDatabase(file, { readonly: true });
  try {
    refuseForeign(database);
    expectTables(database);
  } finally {
    database.close();
  }
}
