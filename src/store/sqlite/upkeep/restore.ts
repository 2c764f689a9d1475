import { constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { TallyhookError } from '../../../domain/error.ts';
import { StoreError } from '../../error.ts';
import { type Database, openDatabase } from '../engine/database.ts';
import { lockInstance } from '../engine/instance-lock.ts';
import { refuseForeign } from '../engine/migrate.ts';
import { copyInto, fileError, type Inspected, inspect, syncFile, syncFolderOf } from './copy.ts';

export interface RestorePlan {
  readonly backup: string;
  readonly database: string;
  /** Where the present database will be kept; null when there is none. */
  readonly setAside: string | null;
  readonly contents: Inspected;
}

/** The write-ahead log and its index belong to the database file: apart from it they are worthless, or worse. */
const PARTS = ['', '-wal', '-shm'] as const;

/** Reads the whole backup, and says what `restore` would do. Changes nothing. */
export function planRestore(path: string, backup: string, nowMs: number): RestorePlan {
  const [database, source] = [resolve(path), resolve(backup)];
  if (source === database) {
    throw new TallyhookError(`${source} is the database itself.`, { kind: 'usage', hint: 'Give a backup of it.' });
  }
  const contents = inspect(source);
  const stamp = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const setAside = existsSync(database) ? `${database}.before-restore-${stamp}` : null;
  return { backup: source, database, setAside, contents };
}

/**
 * Puts a backup in the place of the database, which is set aside whole. Needs the database for itself alone. At every
 * step the present database is under its own name, under the other, or both.
 */
export function restore(path: string, backup: string, nowMs: number): RestorePlan {
  const lock = lockInstance(resolve(path), 'exclusive');
  try {
    const plan = planRestore(path, backup, nowMs);
    const { database, setAside } = plan;
    if (setAside !== null && existsSync(setAside)) {
      throw new StoreError('other', `${setAside} exists already.`, { hint: 'Try again in a second.' });
    }
    const incoming = `${database}.restoring-${process.pid}`;
    try {
      bringIn(plan.backup, incoming);
      if (setAside !== null) emptyLog(database);
      replace(database, incoming, setAside);
    } finally {
      for (const part of PARTS) rmSync(incoming + part, { force: true });
    }
    return plan;
  } finally {
    lock.release();
  }
}

/** A copy beside the database, so that putting it in place is one rename, checked again where it will live. */
function bringIn(backup: string, incoming: string): void {
  const source = openDatabase(backup, { readonly: true });
  try {
    copyInto(source, incoming);
  } finally {
    source.close();
  }
  openDatabase(incoming).close(); // back in write-ahead mode
  syncFile(incoming);
  inspect(incoming);
  for (const part of ['-wal', '-shm']) rmSync(incoming + part, { force: true }); // an empty log, left by reading
}

/** Moves what the log still holds into the database file. A damaged database is set aside as it is, log and all. */
function emptyLog(database: string): void {
  if (!isReadable(database)) return;
  try {
    const present = openDatabase(database);
    present.pragma('wal_checkpoint(TRUNCATE)');
    present.close();
  } catch {
    // Its log is set aside with it, so nothing is lost.
  }
}

/** @throws StoreError when another program made it: a path that is mistyped here would replace that */
function isReadable(database: string): boolean {
  let present: Database | undefined;
  try {
    present = openDatabase(database, { readonly: true });
    refuseForeign(present);
    return true;
  } catch (error) {
    if (present !== undefined && error instanceof StoreError) throw error;
    return false;
  } finally {
    present?.close();
  }
}

function replace(database: string, incoming: string, setAside: string | null): void {
  const parts = setAside === null ? [] : PARTS.filter((part) => existsSync(database + part));
  const kept: string[] = [];
  try {
    // A second name for each file comes first: nothing has moved until everything is safe.
    for (const part of parts) {
      giveSecondName(database + part, setAside + part);
      kept.push(part);
    }
    syncFolderOf(database);
    // The old log must go before the new file comes, else it would be played into it.
    for (const part of ['-wal', '-shm']) rmSync(database + part, { force: true });
    renameSync(incoming, database);
  } catch (error) {
    for (const part of kept) {
      if (existsSync(database + part)) rmSync(setAside + part);
      else renameSync(setAside + part, database + part);
    }
    throw fileError(`The database ${database} cannot be replaced; it is as it was`, error);
  }
  syncFolderOf(database);
}

/** A link, and a copy where the file system has none. */
function giveSecondName(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    copyFileSync(file, name, constants.COPYFILE_EXCL);
    syncFile(name);
  }
}
