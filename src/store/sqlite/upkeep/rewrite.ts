import type { RewriteOrder, Rewritten } from '../../upkeep.ts';
import { type Database, openDatabase } from '../engine/database.ts';
import { guarded, lockShared } from '../engine/reading.ts';

interface Emptied {
  busy: 0 | 1;
  log: number;
}

/**
 * Writes the whole file anew and empties its log, so that nothing is left in its unused space: the engine overwrites what
 * is deleted, but not the older copies that it made when it moved rows from page to page.
 */
export function rewrite(path: string, { mostBytes }: RewriteOrder): Rewritten {
  const lock = lockShared(path);
  try {
    const database = openDatabase(path);
    try {
      return guarded(database, () => rewriteOn(database, mostBytes))();
    } finally {
      database.close();
    }
  } finally {
    lock.release();
  }
}

function rewriteOn(database: Database, mostBytes: number): Rewritten {
  const rewritten = bytesOf(database) <= mostBytes;
  if (rewritten) database.exec('VACUUM');
  const [emptied] = database.pragma('wal_checkpoint(TRUNCATE)') as [Emptied];
  return { rewritten, logEmptied: emptied.busy === 0 && emptied.log === 0 };
}

function bytesOf(database: Database): number {
  const number = (name: string) => Number(database.pragma(name, { simple: true }));
  return number('page_count') * number('page_size');
}
