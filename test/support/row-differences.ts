import type { Database } from '../../src/store/sqlite/engine/database.ts';
import { LOCAL_TABLES } from '../../src/store/sqlite/engine/local-tables.ts';

/** Every row of each table that the other file does not have, or has otherwise; of each table one. */
export function rowDifferences(books: Database, first: string): string[] {
  books.prepare('ATTACH ? AS first').run(first);
  const tables = books
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .pluck()
    .all()
    .filter((name) => !LOCAL_TABLES.some((local) => local === name));
  const sides = [
    ['first', 'main'],
    ['main', 'first'],
  ] as const;
  const hasRows = (table: string) =>
    `SELECT '${table}' WHERE EXISTS (SELECT 1 FROM main.${table}) OR EXISTS (SELECT 1 FROM first.${table})`;
  const filled = books.prepare<[], string>(tables.map(hasRows).join(' UNION ALL ')).pluck().all();
  return filled.flatMap((table) =>
    sides.flatMap(([side, other]) => {
      const row = books.prepare(`SELECT * FROM ${side}.${table} EXCEPT SELECT * FROM ${other}.${table} LIMIT 1`).get();
      return row === undefined
        ? []
        : `${table}: only ${side === 'first' ? 'the first time' : 'again'}: ${JSON.stringify(row)}`;
    }),
  );
}
