import { constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { TallyhookError } from '../../../domain/error.ts';
import { StoreError } from '../../error.ts';
import type { RestorePlan } from '../../upkeep.ts';
import { type Database, openDatabase } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import { inUse, lockInstance } from '../engine/instance-lock.ts';
import { refuseForeign } from '../engine/migrate.ts';
import { copyInto, fileError, inspect, syncFile, syncFolderOf } from './copy.ts';

/** The write-ahead log and its index belong to the database file: beside another one they would damage it. */
const PARTS = ['', '-wal', '-shm'] as const;

/** Reads the whole backup and returns what `restore` would do. Changes nothing. */
export function planRestore(path: string, backup: string, nowMs: number): RestorePlan {
  const [database, source] = [resolve(path), resolve(backup)];
  if (source === database) {
    throw new TallyhookError(`${source} is the database itself.`, { kind: 'usage', hint: 'Give a backup of it.' });
  }
  const contents = inspect(source);
  const stamp = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const setAside = PARTS.some((part) => existsSync(database + part)) ? `${database}.before-restore-${stamp}` : null;
  return { backup: source, database, setAside, contents };
}

/**
 * Replaces the database by a backup and sets the present one aside whole. Takes the exclusive lock. At every step the
 * present database has its own name, the other one, or both.
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

/** Copies the backup beside the database, so that one rename puts it in place, and checks the copy there. */
function bringIn(backup: string, incoming: string): void {
  const source = openDatabase(backup, { readonly: true });
  try {
    copyInto(source, incoming);
  } finally {
    source.close();
  }
  openDatabase(incoming).close(); // back in write-ahead mode, in a transaction that the engine syncs
  inspect(incoming);
  for (const part of ['-wal', '-shm']) rmSync(incoming + part, { force: true }); // an empty log, left by reading
}

/**
 * Moves the rest of the log into the database file, and takes the engine's own exclusive lock for it: another process with
 * the database open is noticed even when the lock file was deleted. A damaged database is set aside with its log.
 *
 * @throws StoreError `locked` when another process has the database open
 */
function emptyLog(database: string): void {
  if (!isReadable(database)) return;
  let present: Database | undefined;
  try {
    present = openDatabase(database);
    present.pragma('journal_mode = DELETE'); // leaving the log needs the file alone
  } catch (error) {
    if (storeError(error, database).fault === 'busy') throw inUse(database, 'exclusive', error);
    // Damaged: its log is set aside with it, so nothing is lost.
  } finally {
    present?.close();
  }
}

/** @throws StoreError when another program made it: a mistyped path must not replace its file */
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
    // Each file gets a second name first: nothing has moved until all have one.
    for (const part of parts) {
      giveSecondName(database + part, setAside + part);
      kept.push(part);
    }
    syncFolderOf(database);
    // The old log must be deleted first, or the engine would apply it to the new file.
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
