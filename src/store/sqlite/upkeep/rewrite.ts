import { existsSync } from 'node:fs';
import type { RewriteOrder, Rewritten } from '../../upkeep.ts';
import { type Database, openDatabase } from '../engine/database.ts';
import { guarded, lockShared } from '../engine/reading.ts';
import { logFileOf, openLog } from '../log/log-file.ts';

/** Largest log that is rewritten here, in less than a second: deliveries wait for it. `serve` shrinks a larger one once it is carried out. */
const MOST_LOG_BYTES = 64 * 1024 * 1024;

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
      const rewritten = guarded(database, () => rewriteOn(database, mostBytes))();
      return { ...rewritten, logEmptied: rewritten.logEmptied && rewriteLog(logFileOf(path)) };
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

/** The log of deliveries, too, where there is one: what it has deleted is in its unused space. */
function rewriteLog(file: string): boolean {
  if (!existsSync(file)) return true;
  const log = openLog(file);
  try {
    const { rewritten, logEmptied } = guarded(log, () => rewriteOn(log, MOST_LOG_BYTES))();
    return rewritten && logEmptied;
  } finally {
    log.close();
  }
}

function bytesOf(database: Database): number {
  const number = (name: string) => Number(database.pragma(name, { simple: true }));
  return number('page_count') * number('page_size');
}
