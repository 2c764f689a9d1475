import { crc32 } from 'node:zlib';
import type { Database } from 'better-sqlite3';

/*
 * Every row has a checksum, kept by the engine in an index over an expression: `events_sum` on (id, row_sum(id, event, …)).
 * A bit that flips in the row leaves the index entry as it was, and the reverse. The columns come from the schema itself, so
 * a new column is summed without a word here, and `PRAGMA integrity_check` compares the sums as it compares every index.
 */

/** A table with its sums: what the check of its rows needs. */
export interface SummedTable {
  readonly table: string;
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** The expression of the sum, of the row that `alias` names; without one of the only row that a statement reads. */
  readonly sum: (alias?: string) => string;
  /** The index that holds the sums. */
  readonly index: string;
}

interface Column {
  readonly name: string;
  readonly type: string;
  /** Place in the primary key, from 1; 0 for other columns. */
  readonly pk: number;
}

/** Columns that are left out: each has a sha256 of its own in its row, and hashing it again at each update would cost. */
const DIGESTED = ['body', 'payload'];

/** Defines `row_sum` on a connection; without it nothing can be written. The engine joins the columns into one text. */
export function defineRowSum(database: Database): void {
  database.function('row_sum', { deterministic: true }, (text: string) => BigInt(crc32(text)));
}

/** Every table of the database with its sums. */
export function summedTables(database: Database): SummedTable[] {
  const tables = database
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .pluck()
    .all();
  return tables.map((table) => summedTable(database, table));
}

/** An expression: the name and key of the row with this key, where it differs from its sum; else NULL. For tables whose key is one number. */
export function damagedRow(database: Database, table: string, key: string): string {
  const { key: columns, sum, index } = summedTable(database, table);
  const kept = `SELECT ${sum('kept')} FROM ${table} kept INDEXED BY ${index} WHERE kept.${columns[0]} = ${key}`;
  // NOT INDEXED: the engine could read the sum of the columns from the index, too.
  return `(SELECT CASE WHEN ${sum('seen')} IS NOT (${kept}) THEN '${table} ' || ${key} END
    FROM ${table} seen NOT INDEXED WHERE seen.${columns[0]} = ${key})`;
}

function summedTable(database: Database, table: string): SummedTable {
  const columns = database.pragma(`table_info(${table})`) as Column[];
  const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
  const summed = columns.filter(({ name }) => !DIGESTED.includes(name));
  // Bytes as digits, since they are no text. Null is left out of the text: no single bit moves a value to another column.
  const values = (prefix: string) =>
    summed.map(({ name, type }) => (type === 'BLOB' ? `hex(${prefix}${name})` : `${prefix}${name}`)).join(', ');
  return {
    table,
    key: key.map(({ name }) => name),
    sum: (alias) => `row_sum(concat_ws(char(31), ${values(alias === undefined ? '' : `${alias}.`)}))`,
    index: `${table}_sum`,
  };
}

/** Gives each table the index of its sums, anew when its columns changed. The caller holds the transaction. */
export function sumRows(database: Database): void {
  for (const sql of missingSums(database)) database.exec(sql);
}

/** The statements that give each table the index of its sums; none when each has it. */
export function missingSums(database: Database): string[] {
  const indexSql = database
    .prepare<[string], string>("SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?")
    .pluck();
  return summedTables(database).flatMap(({ table, key, sum, index }) => {
    const sql = `CREATE INDEX ${index} ON ${table} (${[...key, sum()].join(', ')})`;
    return indexSql.get(index) === sql ? [] : `DROP INDEX IF EXISTS ${index}; ${sql}`;
  });
}
