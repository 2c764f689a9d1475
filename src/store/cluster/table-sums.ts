import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, openDatabase } from '../sqlite/engine/database.ts';
import { LOCAL_TABLES } from '../sqlite/engine/local-tables.ts';
import { type SummedTable, summedTables } from '../sqlite/engine/row-sums.ts';
import { clusterState } from './cluster-state.ts';

/*
 * Sums of the tables as they are at one entry: a row that was changed behind the program differs in them from that of the other machines. They
 * are computed from the columns, and not from the sums that the engine keeps beside the rows.
 */

/** Rows of one piece: a few milliseconds of the thread that carries out. */
const PIECE_ROWS = 512;
/** Each piece is followed by a pause this many times as long: carrying out goes on beside it. */
const PAUSE_FACTOR = 3;
/** Sums stay below this, so that a number holds them exactly. */
const MODULUS = 2 ** 48;

/**
 * Sums every table that machines have in common as it is at entry `seq`, which this process carried out in its last transaction. Returns null
 * when another process has carried out more since, or `signal` ended it. The state of the database is fixed before the first wait.
 */
export async function tableSums(path: string, seq: number, signal: AbortSignal): Promise<Uint8Array | null> {
  const database = openDatabase(path, { readonly: true });
  try {
    database.exec('BEGIN');
    if (clusterState(database).get().seq !== seq) return null;
    const sums: (readonly [table: string, rows: number, sum: number])[] = [];
    for (const table of summedTables(database)) {
      if (LOCAL_TABLES.some((local) => local === table.table)) continue;
      const sum = await sumOf(database, table, signal);
      if (sum === null) return null;
      sums.push([table.table, ...sum]);
    }
    return hash('sha256', JSON.stringify([seq, sums]), 'buffer');
  } finally {
    database.close();
  }
}

/** The number of rows, and the sum of their checksums, which no order of reading changes; null: it was ended. */
async function sumOf(
  database: Database,
  { table, sum }: SummedTable,
  signal: AbortSignal,
): Promise<readonly [rows: number, sum: number] | null> {
  const rows = database.prepare<[], number>(`SELECT ${sum()} FROM ${table} NOT INDEXED`).pluck().iterate();
  let [count, total] = [0, 0];
  let startedMs = performance.now();
  for (const one of rows) {
    total = (total + one) % MODULUS;
    if (++count % PIECE_ROWS !== 0) continue;
    await pause((performance.now() - startedMs) * PAUSE_FACTOR, undefined, { ref: false });
    if (signal.aborted) return null;
    startedMs = performance.now();
  }
  return [count, total];
}
