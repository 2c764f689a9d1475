import type { Database } from './database.ts';

/*
 * Rows of the database as canonical JSON: ["table",{"column":value,…}] with the columns in the order of their names, whole
 * numbers as decimal text, bytes as hexadecimal text. A new column is covered without a word here.
 */

/** A kind of what acts are about, such as a statement with its lines. */
export interface Subject {
  /** `statement` of `statement:3`. */
  readonly prefix: string;
  /** The table that names it in a verdict. */
  readonly table: string;
  /** SQL: the key of each subject that must have an entry. */
  readonly keys: string;
  /** Its rows; those of the first part first. */
  readonly parts: readonly SubjectPart[];
}

export interface SubjectPart {
  /** Whose rows they are. */
  readonly tables: readonly string[];
  /** SQL: the rows of subject `@key`, one column of canonical bytes, in a fixed order. */
  readonly sql: (database: Database) => string;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
}

/** All columns of the rows of a table (`t`), in the order of its primary key. */
export function rowsOf(table: string, where: string): SubjectPart {
  const sql = (database: Database) => {
    const order = keyOf(database, table).join(', ');
    return `SELECT ${rowJson(database, table)} FROM ${table} t WHERE ${where} ORDER BY ${order}`;
  };
  return { tables: [table], sql };
}

/**
 * The rows of several tables, one table behind the other, of a subject that has few: one statement takes half the time of one for
 * each. Of one subject, the last column of a primary key orders the rows.
 */
export function rowsOfTables(tables: Readonly<Record<string, string>>): SubjectPart {
  const sql = (database: Database) => {
    const each = Object.entries(tables).map(([table, where], part) => {
      const place = keyOf(database, table).at(-1);
      return `SELECT ${part} AS part, ${place} AS place, ${rowJson(database, table)} AS json FROM ${table} t WHERE ${where}`;
    });
    return `SELECT json FROM (${each.join(' UNION ALL ')}) ORDER BY part, place`;
  };
  return { tables: Object.keys(tables), sql };
}

/** SQL: one row of `table`, known as `t`, as canonical bytes; `instead` gives columns other values. */
export function rowJson(
  database: Database,
  table: string,
  { leftOut = [], instead = {} }: { leftOut?: readonly string[]; instead?: Readonly<Record<string, string>> } = {},
): string {
  const columns = columnsOf(database, table).filter(({ name }) => !leftOut.includes(name));
  const members = columns
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, type }) => {
      const value = instead[name] ?? `t.${name}`;
      return `'${name}', ${type === 'BLOB' ? `iif(${value} IS NULL, NULL, lower(hex(${value})))` : `CAST(${value} AS TEXT)`}`;
    });
  return `CAST(json_array('${table}', json_object(${members.join(', ')})) AS BLOB)`;
}

/** The columns of the primary key of `t`. */
function keyOf(database: Database, table: string): string[] {
  const key = columnsOf(database, table).filter(({ pk }) => pk > 0);
  return key.sort((one, other) => one.pk - other.pk).map(({ name }) => `t.${name}`);
}

function columnsOf(database: Database, table: string): Column[] {
  return database.pragma(`table_info(${table})`) as Column[];
}
