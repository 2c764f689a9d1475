import SQLite from 'better-sqlite3';
import { type Hold, holdWrites, isWriteLocked } from './held-write.ts';
import { until } from './wait.ts';

/** Rows of a transaction of an import. */
const TRANSACTION = 2_000;

export interface HeldImport {
  /** Resolves once the import is in the middle of its second transaction, with the write lock. */
  readonly begun: () => Promise<void>;
  /** Takes the hold away; the process is gone, or goes on by itself. */
  readonly release: () => void;
}

/** Holds the next import in the middle of its second transaction, and of each after it. */
export function holdImport(path: string, lasts: Hold['lasts']): HeldImport {
  const reader = new SQLite(path, { readonly: true });
  const newest = reader.prepare<[], number | null>('SELECT max(id) FROM imported_lines').pluck();
  const before = newest.get() ?? 0;
  const when = `new.row > ${TRANSACTION} AND new.row % ${TRANSACTION} = ${TRANSACTION / 2}`;
  const release = holdWrites(path, { after: 'INSERT ON imported_lines', when, lasts });
  return {
    begun: () => until(() => (newest.get() ?? 0) > before && isWriteLocked(path), 'the import is held'),
    release() {
      reader.close();
      release();
    },
  };
}
