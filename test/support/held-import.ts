import SQLite from 'better-sqlite3';
import { until } from './wait.ts';

/** The row at which an import is held: behind its first transaction, of 2,000 rows. */
const HELD_ROW = 3_000;
/** A count that ends after a second or two of processor time. */
const SECONDS = 10_000_000;

export interface HeldImport {
  /** Resolves once the import is in the middle of its second transaction, with the write lock. */
  readonly begun: () => Promise<void>;
  /** Takes the hold away; the process is gone, or goes on by itself. */
  readonly release: () => void;
}

/** Holds the next import of more rows in the middle: for ever, for a process that is killed, or for seconds, for one that ends by itself. */
export function holdImport(path: string, how: 'for ever' | 'for seconds'): HeldImport {
  const database = new SQLite(path, { timeout: 60_000 });
  const kept = database.prepare<[], number>('SELECT count(*) FROM imported_lines').pluck();
  const before = kept.get() ?? 0;
  const limit = how === 'for ever' ? '' : `LIMIT ${SECONDS}`;
  database.exec(`
    CREATE TRIGGER hold AFTER INSERT ON imported_lines WHEN new.row = ${HELD_ROW} BEGIN
      SELECT count(*) FROM (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n ${limit}) SELECT i FROM n);
    END`);
  return {
    begun: () => until(() => (kept.get() ?? 0) > before && isLocked(path), 'the import is held', 60_000),
    release() {
      database.exec('DROP TRIGGER hold');
      database.close();
    },
  };
}

function isLocked(path: string): boolean {
  const other = new SQLite(path, { timeout: 0 });
  try {
    other.exec('BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch {
    return true;
  } finally {
    other.close();
  }
}
