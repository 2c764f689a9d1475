import { readFileSync } from 'node:fs';
import SQLite from 'better-sqlite3';
import { sha256 } from '../../../domain/events/json.ts';
import { packageFile } from '../../../package-root.ts';
import { StoreError } from '../../error.ts';
import type { Database } from './database.ts';
import { checkKnown, type Migration, migrate, migrations, schemaVersion } from './migrate.ts';
import { defineRowSum } from './row-sums.ts';

/*
 * What a database defines beside its rows: tables, indexes, views, triggers. Other than the migrations made them they can undo what was
 * acknowledged: a trigger `AFTER INSERT ON events` that deletes, a unique index, a table without its constraint.
 */

interface Definition {
  readonly type: 'table' | 'index' | 'view' | 'trigger';
  readonly name: string;
  readonly table: string;
  readonly sql: string | null;
}

export interface Definitions {
  /** How many there are. */
  readonly count: number;
  /** What is not as the migrations made it: `trigger keep_nothing on events`, `table events is changed`, `index x is missing`. */
  readonly faults: readonly string[];
}

/** Compares the definitions of a database with those of its schema version. Statistics, which the engine keeps, are left out. */
export function definitionsOf(database: Database, all: readonly Migration[] = migrations()): Definitions {
  const seen = readDefinitions(database);
  return { count: seen.length, faults: compare(seen, migratedTo(schemaVersion(database), all)) };
}

/**
 * Before migrating: refuses to build on what the migrations did not make.
 *
 * @throws StoreError that names each such definition, or a schema that this program does not know
 */
export function expectDefinitions(database: Database, all: readonly Migration[] = migrations()): void {
  const version = checkKnown(database, all).length;
  if (version === 0 || (version === all.length && definitionsDigest(database) === newestDigest())) return;
  const faults = compare(readDefinitions(database).filter(isKept), migratedTo(version, all).filter(isKept));
  if (faults.length === 0) return;
  throw new StoreError(
    'changed_schema',
    `The database ${database.name} is not as Tallyhook made it: ${faults.join(', ')}.`,
    {
      hint: 'Any of them can undo what is acknowledged. Take out what was put in, while nothing runs, or restore a backup from before.',
    },
  );
}

/** The digest of the definitions that migrating leaves as they are. */
export function definitionsDigest(database: Database): string {
  return sha256(JSON.stringify(readDefinitions(database).filter(isKept)));
}

/** That of the newest schema: most starts know it by this, and make no database to compare with, which takes 50 ms. */
function newestDigest(): string {
  return readFileSync(packageFile('migrations', 'sqlite', 'DEFINITIONS_SHA256'), 'utf8').trim();
}

/** Whether migrating leaves it as it is: the table of the migrations and the sums of rows are made anew where they are older. */
function isKept({ name, table }: Definition): boolean {
  return name !== 'schema_migrations' && name !== `${table}_sum`;
}

function readDefinitions(database: Database): Definition[] {
  return database
    .prepare<[], Definition>(`
      SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name`)
    .all();
}

/** By the digests of the migrations, which alone decide them. */
const made = new Map<string, readonly Definition[]>();

function migratedTo(version: number, all: readonly Migration[]): readonly Definition[] {
  const carriedOut = all.slice(0, version);
  const digests = carriedOut.map(({ checksum }) => checksum).join(' ');
  const known = made.get(digests);
  if (known !== undefined) return known;
  const fresh = new SQLite(':memory:');
  try {
    defineRowSum(fresh);
    migrate(fresh, 0, carriedOut);
    const definitions = readDefinitions(fresh);
    made.set(digests, definitions);
    return definitions;
  } finally {
    fresh.close();
  }
}

function compare(seen: readonly Definition[], expected: readonly Definition[]): string[] {
  const keyOf = ({ type, name }: Definition) => `${type} ${name}`;
  const wanted = new Map(expected.map((one) => [keyOf(one), one]));
  const there = new Set(seen.map(keyOf));
  const foreign = seen.flatMap((one) => {
    const known = wanted.get(keyOf(one));
    if (known === undefined)
      return one.type === 'table' || one.type === 'view' ? keyOf(one) : `${keyOf(one)} on ${one.table}`;
    return known.sql === one.sql && known.table === one.table ? [] : `${keyOf(one)} is changed`;
  });
  const missing = expected.filter((one) => !there.has(keyOf(one))).map((one) => `${keyOf(one)} is missing`);
  return [...foreign, ...missing];
}
