import { closeSync, openSync, writeSync } from 'node:fs';
import SQLite from 'better-sqlite3';

const PAGE_BYTES = 4_096;

/** Overwrites half of each page of a stopped database that holds rows of `table`, but of the first and the last one. */
export function damageRowsOf(table: string, path: string): void {
  const pages = leafPages(table, path).slice(1, -1);
  if (pages.length === 0) throw new Error(`${table} has too few pages to damage.`);
  const file = openSync(path, 'r+');
  const half = PAGE_BYTES / 2;
  for (const page of pages) writeSync(file, Buffer.alloc(half, 0xa5), 0, half, (page - 1) * PAGE_BYTES);
  closeSync(file);
}

/** The numbers of the pages, from 1, in the order of their rows. */
function leafPages(table: string, path: string): number[] {
  const database = new SQLite(path, { readonly: true });
  try {
    const pages = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path";
    return database.prepare<[string], number>(pages).pluck().all(table);
  } finally {
    database.close();
  }
}
