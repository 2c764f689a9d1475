import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../domain/events/json.ts';
import { packageFile, packageVersion } from '../../../package-root.ts';
import { StoreError } from '../../error.ts';
import { type Database, writing } from './database.ts';
import { missingSums, sumRows } from './row-sums.ts';

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
  checkKnown(database, all);
  openLedger(database);
  const missing = all.slice(schemaVersion(database));
  const applied = missing.filter((migration) => {
    onBegin(migration);
    return applyOne(database, migration, nowMs, all);
  });
  // The lock only where something is missing: a start beside a program that holds it goes on.
  if (schemaVersion(database) === all.length && missingSums(database).length > 0)
    writing(database, () => sumRows(database))();
  return applied;
}

/** The version of the schema; throws unless it is exactly this program's. */
export function expectSchema(database: Database, all = migrations()): number {
  refuseForeign(database);
  expectTables(database);
  const applied = checkKnown(database, all);
  if (applied.length < all.length) {
    throw new StoreError('older_schema', `${schemaOf(database, applied)} needs ${all.length}.`, {
      hint: 'Run: tallyhook migrate',
    });
  }
  return applied.length;
}

export function schemaVersion(database: Database): number {
  if (!hasTable(database, 'schema_migrations')) return 0;
  return database.prepare<[], number>('SELECT coalesce(max(version), 0) FROM schema_migrations').pluck().get() ?? 0;
}

interface AppliedRow {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
  /** Absent in a database that no program since 0.2.0 has migrated, NULL in its older rows. */
  readonly program?: string | null;
}

/** The table of what was applied. Its column `program` is younger than the table. */
function openLedger(database: Database): void {
  if (hasTable(database, 'schema_migrations') && hasColumn(database, 'program')) return;
  writing(database, () => {
    database.exec(`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL
    ) STRICT`);
    // Looked at again: another process that starts may have added it meanwhile.
    if (!hasColumn(database, 'program')) database.exec('ALTER TABLE schema_migrations ADD COLUMN program TEXT');
  })();
}

function applyOne(database: Database, migration: Migration, nowMs: number, all: readonly Migration[]): boolean {
  return writing(database, () => {
    checkKnown(database, all);
    // The version row comes first: of two processes that start at once, one waits here and then finds it applied.
    const { changes } = database
      .prepare(`
        INSERT OR IGNORE INTO schema_migrations (version, name, checksum, applied_at, program) VALUES (?, ?, ?, ?, ?)`)
      .run(migration.version, migration.name, migration.checksum, nowMs, packageVersion());
    if (changes === 0) return false;
    // A migration may rewrite the schema's text: nothing else changes a CHECK without copying its table.
    database.unsafeMode();
    try {
      database.exec(migration.sql);
    } finally {
      database.unsafeMode(false);
    }
    return true;
  })();
}

/**
 * The applied migrations, in order.
 *
 * @throws StoreError when the database has one that this program does not have, or has as another one
 */
export function checkKnown(database: Database, all: readonly Migration[] = migrations()): readonly AppliedRow[] {
  if (!hasTable(database, 'schema_migrations')) return [];
  const applied = database.prepare<[], AppliedRow>('SELECT * FROM schema_migrations ORDER BY version').all();
  for (const { version, name, checksum } of applied) {
    const known = all[version - 1];
    if (known === undefined) {
      const hint = `Install ${makerOf(applied)} or newer, or restore a backup from before the upgrade.`;
      throw new StoreError('newer_schema', `${schemaOf(database, applied)} knows ${all.length}.`, { hint });
    }
    if (known.checksum !== checksum) throw neverReleased(database, applied, `${version} (${name})`);
  }
  return applied;
}

/** `The database X has schema 15, made by Tallyhook 0.3.0; this is Tallyhook 0.2.0, which`: what it needs or knows follows. */
function schemaOf(database: Database, applied: readonly AppliedRow[]): string {
  const version = applied.at(-1)?.version ?? 0;
  const maker = version === 0 ? '' : `, made by ${makerOf(applied)}`;
  return `The database ${database.name} has schema ${version}${maker}; this is Tallyhook ${packageVersion()}, which`;
}

/** The program that applied the last migration. */
function makerOf(applied: readonly AppliedRow[]): string {
  const program = applied.at(-1)?.program;
  return program == null ? 'a Tallyhook before 0.2.0' : `Tallyhook ${program}`;
}

/** A migration never changes once it has landed, so no release wrote this database. */
function neverReleased(database: Database, applied: readonly AppliedRow[], migration: string): StoreError {
  const message = `Migration ${migration} in ${database.name}, made by ${makerOf(applied)}, is not the one of this Tallyhook, ${packageVersion()}.`;
  return new StoreError('other', message, {
    hint: 'No release of Tallyhook made this database: open it with the program that made it, or begin with a new one.',
  });
}

/** Throws for an empty database: what was kept was in another file. */
export function expectTables(database: Database): void {
  if (hasTable(database, 'schema_migrations')) return;
  throw new StoreError('no_database', `The database ${database.name} is empty.`, {
    hint: 'Put the right file back, or restore a backup: tallyhook restore FILE. Only to begin anew: tallyhook serve',
  });
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

function hasColumn(database: Database, column: string): boolean {
  const columns = database.pragma('table_info(schema_migrations)') as { name: string }[];
  return columns.some(({ name }) => name === column);
}

function hasTable(database: Database, name: string): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
}
