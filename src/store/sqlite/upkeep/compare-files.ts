import type { RowComparison } from '../../upkeep.ts';
import { openDatabase } from '../engine/database.ts';
import { LOCAL_TABLES } from '../engine/local-tables.ts';

/** Compares every column of every row of the tables that machines have in common, in two files. */
export function compareFiles(path: string, other: string): RowComparison {
  const database = openDatabase(path, { readonly: true });
  try {
    database.prepare('ATTACH ? AS other').run(other);
    const tables = database
      .prepare<[], string>(
        `SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
      )
      .pluck()
      .all()
      .filter((name) => !LOCAL_TABLES.some((local) => local === name));
    const count = (text: string): number =>
      database.prepare<[], number>(`SELECT count(*) FROM ${text}`).pluck().get() ?? 0;
    let rows = 0;
    const differing: string[] = [];
    for (const table of tables) {
      const [here, there] = [`main."${table}"`, `other."${table}"`];
      const own = count(here);
      rows += own;
      const only = (one: string, another: string) => count(`(SELECT * FROM ${one} EXCEPT SELECT * FROM ${another})`);
      if (own !== count(there) || only(here, there) + only(there, here) > 0) differing.push(table);
    }
    return { tables: tables.length, rows, differing };
  } finally {
    database.close();
  }
}
