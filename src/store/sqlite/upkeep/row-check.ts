import { hash } from 'node:crypto';
import type { Statement } from 'better-sqlite3';
import type { Database } from '../engine/database.ts';
import { snapshot } from '../engine/reading.ts';
import { type SummedTable, summedTables } from '../engine/row-sums.ts';

/** Rows of one piece: a few milliseconds, for as long as one read keeps the log from beginning anew. */
const PIECE_ROWS = 256;
/** Most damages that are named; more say nothing new. */
export const MOST_DAMAGES = 20;

/** Where a walk over all rows goes on: behind this key of this table. */
export interface RowPlace {
  readonly table: string;
  readonly after: readonly unknown[] | null;
}

export interface CheckedPiece {
  /** What is damaged, one sentence each. */
  readonly damage: readonly string[];
  /** Null at the end. */
  readonly next: RowPlace | null;
}

type Row = readonly unknown[];

/** The damage of `look` that a second look finds as well. The pages are read anew: a bit may have flipped in memory. */
export function seenTwice(database: Database, look: () => readonly string[]): string[] {
  const first = look();
  if (first.length === 0) return [];
  database.pragma('shrink_memory');
  const second = new Set(look());
  return first.filter((damage) => second.has(damage));
}

/**
 * Compares the rows of the database piece by piece: each row with its sum, each body with its sha256, and each index with
 * the rows. Every piece is one snapshot, so that a row and its sum are of one moment, and a short one, so that the log is never held for
 * long. Rows that are added meanwhile are left out, so that a walk beside arriving deliveries comes to its end.
 */
export function rowCheck(database: Database) {
  const checks = summedTables(database).map((table) => tableCheck(database, table));

  /** The piece behind `place`; null for the first. A table that is gone since is skipped. */
  function next(place: RowPlace | null): CheckedPiece {
    const piece = look(place);
    if (piece.damage.length === 0) return piece;
    return { ...piece, damage: seenTwice(database, () => look(place).damage) };
  }

  const look = snapshot(database, (place: RowPlace | null): CheckedPiece => {
    const at = Math.max(
      0,
      checks.findIndex(({ table }) => table === place?.table),
    );
    const check = checks[at];
    if (check === undefined) return { damage: [], next: null };
    const { damage, last } = check.piece(place?.after ?? null);
    if (last !== null) return { damage, next: { table: check.table, after: last } };
    const following = checks[at + 1];
    return { damage, next: following === undefined ? null : { table: following.table, after: null } };
  });

  return {
    next,

    /** All rows at once. */
    all(): string[] {
      const damage: string[] = [];
      let piece = next(null);
      damage.push(...piece.damage);
      while (piece.next !== null && damage.length < MOST_DAMAGES) {
        piece = next(piece.next);
        damage.push(...piece.damage);
      }
      return damage.slice(0, MOST_DAMAGES);
    },
  };
}

function tableCheck(database: Database, { table, key, sum, index }: SummedTable) {
  const columns = database.pragma(`table_info(${table})`) as { name: string }[];
  const hasBody = columns.some(({ name }) => name === 'body');
  const keys = key.join(', ');
  const body = hasBody ? ', body, body_digest, pruned_at' : '';
  const place = `(${key.map(() => '?').join(', ')})`;
  const read = (source: string, more: string) => {
    const [first, following] = ['TRUE', `(${keys}) > ${place}`].map((behind) =>
      database
        .prepare<unknown[], Row>(`
          SELECT ${keys}, ${sum()}${more} FROM ${table} ${source} WHERE ${behind} AND (${keys}) <= ${place}
          ORDER BY ${keys} LIMIT ${PIECE_ROWS}`)
        .raw(),
    ) as [Statement<unknown[], Row>, Statement<unknown[], Row>];
    return (after: Row | null, end: Row) => (after === null ? first.all(...end) : following.all(...after, ...end));
  };
  const rows = read('NOT INDEXED', body);
  const sums = read(`INDEXED BY ${index}`, '');
  const end = lastKey(database, { table, key, index });
  const indexes = indexChecks(database, table, key);
  const size = key.length;
  const keyOf = (row: Row) => row.slice(0, size);
  const named = (row: Row) => `${table} ${keyOf(row).join(' ')}`;

  return {
    table,
    piece(after: Row | null): { damage: string[]; last: Row | null } {
      if (end === null) return { damage: [], last: null };
      const [seen, kept] = [rows(after, end), sums(after, end)];
      const damage: string[] = [];
      const known = new Map(kept.map((row) => [named(row), row[size]]));
      for (const row of seen) {
        if (known.get(named(row)) !== row[size]) damage.push(`${named(row)} differs from its sum`);
        else if (hasBody && !isWhole(row.slice(size + 1))) damage.push(`${named(row)} has another body than was kept`);
        known.delete(named(row));
      }
      for (const missing of known.keys()) damage.push(`${missing} has a sum and no row`);
      const last = seen.at(-1);
      const first = seen[0];
      if (first !== undefined && last !== undefined) {
        for (const check of indexes) damage.push(...check(keyOf(first), keyOf(last)));
      }
      const more = seen.length === PIECE_ROWS || kept.length === PIECE_ROWS;
      return { damage, last: more && last !== undefined ? keyOf(last) : null };
    },
  };
}

/** The last key of a table now, of its rows or of its sums: a walk compares what was there when it began. */
function lastKey(database: Database, { table, key, index }: Pick<SummedTable, 'table' | 'key' | 'index'>): Row | null {
  const order = `ORDER BY ${key.map((name) => `${name} DESC`).join(', ')} LIMIT 1`;
  const last = (source: string) => `SELECT * FROM (SELECT ${key.join(', ')} FROM ${table} ${source} ${order})`;
  const either = `${last('NOT INDEXED')} UNION ALL ${last(`INDEXED BY ${index}`)} ${order}`;
  return database.prepare<[], Row>(either).raw().get() ?? null;
}

function isWhole([body, digest, prunedAt]: Row): boolean {
  return prunedAt !== null || hash('sha256', body as Buffer, 'buffer').equals(digest as Buffer);
}

/** For each index of a table: whether every row between two keys is found through it. */
function indexChecks(database: Database, table: string, key: readonly string[]) {
  const indexes = database.pragma(`index_list(${table})`) as { name: string; origin: string; partial: 0 | 1 }[];
  const isOther = ({ name, origin }: { name: string; origin: string }) => origin !== 'pk' && name !== `${table}_sum`;
  return indexes.filter(isOther).map(({ name, partial }) => {
    const columns = (database.pragma(`index_info(${name})`) as { name: string }[]).map((column) => column.name);
    const condition = partial === 1 ? conditionOf(database, name) : 'TRUE';
    const tuple = (prefix: string) => key.map((column) => `${prefix}${column}`).join(', ');
    const parameters = key.map(() => '?').join(', ');
    const same = [...new Set([...columns, ...key])].map((column) => `found.${column} IS kept.${column}`).join(' AND ');
    const missing = database
      .prepare<unknown[], number>(`
        SELECT count(*) FROM (SELECT * FROM ${table} NOT INDEXED
                              WHERE (${tuple('')}) BETWEEN (${parameters}) AND (${parameters}) AND (${condition})) kept
        WHERE NOT EXISTS (SELECT 1 FROM (SELECT * FROM ${table} INDEXED BY ${name} WHERE ${condition}) found WHERE ${same})`)
      .pluck();
    return (first: Row, last: Row): string[] => {
      const count = missing.get(...first, ...last) ?? 0;
      const rows = count === 1 ? `1 row of ${table} is` : `${count} rows of ${table} are`;
      return count === 0 ? [] : [`${rows} not found by the index ${name}`];
    };
  });
}

/** The condition of a partial index. */
function conditionOf(database: Database, index: string): string {
  const sql =
    database.prepare<[string], string>('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(index) ?? '';
  return sql.slice(sql.indexOf(' WHERE ') + ' WHERE '.length);
}
