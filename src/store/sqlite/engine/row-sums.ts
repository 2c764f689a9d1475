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
  /** The expression of the sum. */
  readonly sum: string;
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
  return tables.map((table) => summedTable(table, database.pragma(`table_info(${table})`) as Column[]));
}

function summedTable(table: string, columns: readonly Column[]): SummedTable {
  const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
  const summed = columns.filter(({ name }) => !DIGESTED.includes(name));
  // Bytes as digits, since they are no text. Null is left out of the text: no single bit moves a value to another column.
  const values = summed.map(({ name, type }) => (type === 'BLOB' ? `hex(${name})` : name));
  return {
    table,
    key: key.map(({ name }) => name),
    sum: `row_sum(concat_ws(char(31), ${values.join(', ')}))`,
    index: `${table}_sum`,
  };
}

/** Gives each table the index of its sums, anew when its columns changed. The caller holds the transaction. */
export function sumRows(database: Database): void {
  const indexSql = database.prepare<[string], string>(
    "SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?",
  );
  for (const { table, key, sum, index } of summedTables(database)) {
    const sql = `CREATE INDEX ${index} ON ${table} (${[...key, sum].join(', ')})`;
    if (indexSql.pluck().get(index) === sql) continue;
    database.exec(`DROP INDEX IF EXISTS ${index}; ${sql}`);
  }
}
