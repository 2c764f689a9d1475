import SQLite from 'better-sqlite3';

/** A count that takes some 0.4 seconds of processor time. */
const A_WHILE = 3_000_000;

export interface Hold {
  /** The write that is held: `INSERT ON imported_lines`, `UPDATE OF pruned_at ON events`. */
  readonly after: string;
  /** Of which rows, by `new`; without it of all. */
  readonly when?: string;
  /** For ever: for a process that is killed. For a while: for one that ends by itself between two transactions. */
  readonly lasts: 'for ever' | 'for a while';
}

/** Holds such writes of other processes in the middle of their transaction, with the write lock. Returns what takes the hold away. */
export function holdWrites(path: string, { after, when = 'true', lasts }: Hold): () => void {
  const database = new SQLite(path, { timeout: 60_000 });
  const limit = lasts === 'for ever' ? '' : `LIMIT ${A_WHILE}`;
  database.exec(`
    CREATE TRIGGER hold AFTER ${after} WHEN ${when} BEGIN
      SELECT count(*) FROM (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n ${limit}) SELECT i FROM n);
    END`);
  return () => {
    database.exec('DROP TRIGGER hold');
    database.close();
  };
}

/** True while another process holds the write lock: for longer than `forMs`. */
export function isWriteLocked(path: string, forMs = 0): boolean {
  const database = new SQLite(path, { timeout: forMs });
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}
