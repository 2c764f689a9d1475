import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../domain/json.ts';
import { packageFile } from '../../../package-root.ts';
import { StoreError } from '../../error.ts';
import { type Database, writing } from './database.ts';
import { sumRows } from './row-sums.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** The migrations of this program, in order. Throws when a number is missing: a gap would leave half a schema. */
export function migrations(folder = packageFile('migrations', 'sqlite')): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort();
  if (files.length === 0) throw new StoreError('other', `No migrations in ${folder}: install the package again.`);
  return files.map((file, index) => {
    const [, digits, name] = /^(\d{4})_(\w+)\.sql$/.exec(file) ?? [];
    if (digits === undefined || name === undefined || Number(digits) !== index + 1) {
      throw new StoreError('other', `Migration ${file} is out of line: number ${index + 1} was expected.`);
    }
    const sql = readFileSync(join(folder, file), 'utf8');
    return { version: index + 1, name, sql, checksum: sha256(sql) };
  });
}

/** Brings the schema up to date, each migration in one transaction. Returns the applied ones; `onBegin` is called before each. */
export function migrate(
  database: Database,
  nowMs: number,
  all: readonly Migration[] = migrations(),
  onBegin: (migration: Migration) => void = () => {},
): Migration[] {
  refuseForeign(database);
  database.exec(`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL
    ) STRICT`);
  checkKnown(database, all);
  const missing = all.slice(schemaVersion(database));
  const applied = missing.filter((migration) => {
    onBegin(migration);
    return applyOne(database, migration, nowMs, all);
  });
  if (schemaVersion(database) === all.length) writing(database, () => sumRows(database))();
  return applied;
}

/** The version of the schema; throws unless it is exactly this program's. */
export function expectSchema(database: Database, all = migrations()): number {
  refuseForeign(database);
  const version = schemaVersion(database);
  checkKnown(database, all);
  if (version < all.length) {
    throw new StoreError(
      'older_schema',
      `The database ${database.name} has schema ${version}; this program needs ${all.length}.`,
      { hint: 'Run: tallyhook migrate' },
    );
  }
  return version;
}

export function schemaVersion(database: Database): number {
  if (!hasTable(database, 'schema_migrations')) return 0;
  return database.prepare<[], number>('SELECT coalesce(max(version), 0) FROM schema_migrations').pluck().get() ?? 0;
}

function applyOne(database: Database, migration: Migration, nowMs: number, all: readonly Migration[]): boolean {
  return writing(database, () => {
    checkKnown(database, all);
    // The version row comes first: of two processes that start at once, one waits here and then finds it applied.
    const { changes } = database
      .prepare('INSERT OR IGNORE INTO schema_migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)')
      .run(migration.version, migration.name, migration.checksum, nowMs);
    if (changes === 0) return false;
    database.exec(migration.sql);
    return true;
  })();
}

/** Throws when the database has a migration that this program does not have, or has as another one. */
export function checkKnown(database: Database, all: readonly Migration[] = migrations()): void {
  if (!hasTable(database, 'schema_migrations')) return;
  const applied = database
    .prepare<[], { version: number; name: string; checksum: string }>(
      'SELECT * FROM schema_migrations ORDER BY version',
    )
    .all();
  for (const { version, name, checksum } of applied) {
    const known = all[version - 1];
    if (known === undefined) {
      throw new StoreError(
        'newer_schema',
        `The database ${database.name} has schema ${applied.at(-1)?.version}; this program knows ${all.length}.`,
        { hint: 'Install the newer Tallyhook that wrote it, or restore a backup from before the upgrade.' },
      );
    }
    if (known.checksum !== checksum) {
      throw new StoreError(
        'other',
        `Migration ${version} (${name}) in ${database.name} is not the one this program ships.`,
        {
          hint: 'A released migration never changes: install the release that made this database.',
        },
      );
    }
  }
}

/** Throws when another program made the database. */
export function refuseForeign(database: Database): void {
  const tables = database.prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'table'").pluck().get();
  if (tables !== 0 && !hasTable(database, 'schema_migrations')) {
    throw new StoreError('no_database', `${database.name} is a database, but not one of Tallyhook's.`, {
      hint: 'Point `database` at another path.',
    });
  }
}

function hasTable(database: Database, name: string): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
}
