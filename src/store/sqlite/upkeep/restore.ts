import { constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { TallyhookError } from '../../../domain/error.ts';
import { StoreError } from '../../error.ts';
import type { Contents, CopyProgress, LogGap, RestorePlan, Watch } from '../../upkeep.ts';
import { type Database, openDatabase } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import { generationOf } from '../engine/generation.ts';
import { inUse, lockInstance } from '../engine/instance-lock.ts';
import { refuseForeign } from '../engine/migrate.ts';
import { likeOwnerOf, ownerOf } from '../engine/owner.ts';
import { syncFile, syncFolderOf } from '../engine/sync.ts';
import { logError, logFactsAt, logFileOf, offerLog, openLog } from '../log/log-file.ts';
import { entryReads } from '../log/reader.ts';
import { fileError } from './copy.ts';
import { copyInSideProcess } from './copy-side-process.ts';

/** The write-ahead log and its index belong to the database file: beside another one they would damage it. */
const PARTS = ['', '-wal', '-shm'] as const;

interface RestoreOptions {
  readonly nowMs: number;
  /** Sets the log aside with the database; else what it holds is carried out into the restored one. */
  readonly discardLog?: boolean;
  /** Ends it while it reads or copies the backup; what follows takes no time, and is never ended half-way. */
  readonly watch?: Watch<CopyProgress> | undefined;
  /** For a machine of a cluster, which would be refused without: makes the copy of the backup the database of its place in the log. */
  readonly prepare?: (incoming: string) => Promise<void>;
}

const CUT_SHORT = 'The restore was cut short; the database is as it was.';

/**
 * Reads the whole backup and returns what `restore` would do. Changes nothing.
 *
 * @throws StoreError when there is no backup, or it is damaged, another program's or of a newer schema; `cluster_refused` for a machine of
 * a cluster
 */
export async function planRestore(
  path: string,
  backup: string,
  { nowMs, watch, discardLog = false, prepare }: RestoreOptions,
): Promise<RestorePlan> {
  const [database, source] = [resolve(path), resolve(backup)];
  if (source === database) {
    throw new TallyhookError(`${source} is the database itself.`, { kind: 'usage', hint: 'Give a backup of it.' });
  }
  if (prepare === undefined) refuseInCluster(database);
  const contents = await inspectBackup(source, watch);
  const deliveries = deliveriesIn(logFileOf(database), discardLog);
  const log = { deliveries, discarded: discardLog, missing: lackedOfCluster(source), carriedFrom: null };
  return { backup: source, database, setAside: nameAside(database, nowMs, 'restore'), log, contents };
}

/** What the log of a cluster has behind a backup of one of its machines, which becomes a database of a machine alone; null for any other. */
function lackedOfCluster(backup: string): LogGap | null {
  const first = 'SELECT seq - base + 1 AS "from", NULL AS "to" FROM carried_out WHERE cluster IS NOT NULL';
  return ofPresent(backup, (database) => database.prepare<[], LogGap>(first).get() ?? null, null);
}

/** The other machines would not have what is restored here. */
function refuseInCluster(path: string): void {
  const ofMember = 'SELECT 1 FROM carried_out WHERE cluster IS NOT NULL';
  if (!ofPresent(path, (database) => database.prepare(ofMember).get() !== undefined, false)) return;
  throw new StoreError('cluster_refused', `The database ${path} is of a machine of a cluster; nothing was changed.`, {
    hint: 'Take over what another machine has: tallyhook cluster rebuild. Or leave the cluster first: tallyhook cluster leave',
  });
}

/** The deliveries that a log holds: acknowledged, and perhaps in no database. 0 without a log; null of a damaged one that is discarded. */
function deliveriesIn(file: string, discardLog: boolean): number | null {
  try {
    if (logFactsAt(file) === null) return 0;
    const log = openLog(file, { readonly: true });
    try {
      return entryReads(log).waiting(0).deliveries;
    } finally {
      log.close();
    }
  } catch (error) {
    const failure = logError(error, file);
    if (failure.fault !== 'corrupt') throw failure;
    if (discardLog) return null;
    throw new StoreError('corrupt', failure.message, {
      hint: 'Put a sound copy of it back. Is there none, restore with --discard-log, which keeps it beside the present database.',
      cause: error,
    });
  }
}

/** The other name that the present database gets, a free one; null when there is none. */
export function nameAside(database: string, nowMs: number, by: 'restore' | 'rebuild'): string | null {
  return PARTS.some((part) => existsSync(database + part)) ? nameOfAside(database, nowMs, by) : null;
}

function nameOfAside(database: string, nowMs: number, by: 'restore' | 'rebuild'): string {
  const stamp = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const name = `${database}.before-${by}-${stamp}`;
  let free = name;
  for (let number = 2; existsSync(free); number++) free = `${name}-${number}`; // one of this second is there
  return free;
}

/** What `inspect` says of a database, as it must be said of a backup. */
async function inspectBackup(backup: string, watch: RestoreOptions['watch']): Promise<Contents> {
  if (!existsSync(backup)) {
    const hint = 'Look for it in the folder of your backups; those of the schedule are in schedule.backupFolder.';
    throw new StoreError('no_database', `There is no backup at ${backup}; nothing was changed.`, { hint });
  }
  try {
    return await copyInSideProcess({ task: 'inspect', path: backup }, CUT_SHORT, watch);
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause;
    if (cause.fault === 'corrupt') {
      const hint = 'Use another backup, such as the one before it.';
      throw new StoreError('corrupt', `The backup ${backup} is damaged; nothing was changed.`, { hint, cause });
    }
    if (cause.fault === 'changed_schema') {
      const message = `${cause.message.replace(/^The database/, 'The backup').replace(/\.$/, '')}; nothing was changed.`;
      throw new StoreError('changed_schema', message, {
        hint: 'Use a backup from before that change.',
        cause,
      });
    }
    if (cause.fault === 'no_database') {
      const hint = 'Give a file that `tallyhook backup` or the schedule made.';
      throw new StoreError('no_database', `${backup} is no backup of Tallyhook; nothing was changed.`, { hint, cause });
    }
    throw cause;
  }
}

/**
 * Replaces the database by a backup and sets the present one aside whole. Takes the exclusive lock. At every step the
 * present database has its own name, the other one, or both. The new one has the owner and mode of the present one; without
 * one, the owner of the folder.
 */
export async function restore(path: string, backup: string, options: RestoreOptions): Promise<RestorePlan> {
  // Before the lock, which makes a file.
  const { contents, ...planned } = await planRestore(path, backup, options);
  const { nowMs, watch, discardLog = false, prepare } = options;
  const { database } = planned;
  const lock = lockInstance(database, 'exclusive');
  try {
    const setAside = nameAside(database, nowMs, 'restore');
    const incoming = `${database}.restoring-${process.pid}`;
    try {
      // Beside the database, so that one rename puts it in place.
      const order = {
        task: 'bring in',
        path: planned.backup,
        target: incoming,
        nowMs,
        after: presentGeneration(database),
      } as const;
      await copyInSideProcess(order, CUT_SHORT, watch);
      await prepare?.(incoming);
      const logAside = discardLog ? logFileOf(setAside ?? nameOfAside(database, nowMs, 'restore')) : null;
      putInPlace(database, incoming, setAside, () => keepLog(logFileOf(database), logAside));
    } finally {
      for (const part of PARTS) rmSync(incoming + part, { force: true });
    }
    return { ...planned, setAside, contents };
  } finally {
    lock.release();
  }
}

/**
 * Puts the file `incoming` in the place of the database, which gets the name `setAside`; null without one. The caller holds the exclusive lock.
 * `meanwhile`: when no other process has it open; what it returns undoes it.
 */
export function putInPlace(
  database: string,
  incoming: string,
  setAside: string | null,
  meanwhile: () => () => void = () => () => {},
): void {
  takePlace(incoming, database);
  if (setAside !== null) emptyWriteAheadLog(database);
  const undo = meanwhile();
  try {
    replace(database, incoming, setAside);
  } catch (error) {
    undo();
    throw error;
  }
}

/** Offers the log to the restored database, which knows none; or gives it the name `aside`. Returns how to undo that. */
function keepLog(file: string, aside: string | null): () => void {
  if (aside === null) {
    if (logFactsAt(file) !== null) offerLog(file, true);
    return () => {}; // a database that knows the log takes its offer back
  }
  const parts = PARTS.filter((part) => existsSync(file + part));
  for (const part of parts) renameSync(file + part, aside + part);
  return () => {
    for (const part of parts) renameSync(aside + part, file + part);
  };
}

/** The number of the latest restore of the present database; 0 when there is none that can be read. */
function presentGeneration(path: string): number {
  return ofPresent(path, generationOf, 0); // damaged: the time of the restore is above its number too
}

/** What the present database says; `otherwise` without one, and of one that is damaged or too old to say it. */
function ofPresent<Result>(path: string, read: (database: Database) => Result, otherwise: Result): Result {
  if (!existsSync(path)) return otherwise;
  let database: Database | undefined;
  try {
    database = openDatabase(path, { readonly: true });
    return read(database);
  } catch {
    return otherwise;
  } finally {
    database?.close();
  }
}

/** @throws StoreError when this user may not give the database to its owner, who could not open it then */
function takePlace(incoming: string, database: string): void {
  try {
    likeOwnerOf(incoming, database);
  } catch (cause) {
    const { uid } = ownerOf(database);
    const message = `The restored database would not belong to user ${uid}, as the present one; nothing was changed.`;
    throw new StoreError('no_access', message, { hint: 'Run it as that user, or as root.', cause });
  }
}

/**
 * Moves the rest of the write-ahead log into the database file, and takes the engine's own exclusive lock for it: another process with
 * the database open is noticed even when the lock file was deleted. A damaged database is set aside with it.
 *
 * @throws StoreError `locked` when another process has the database open
 */
function emptyWriteAheadLog(database: string): void {
  if (!isReadable(database)) return;
  let present: Database | undefined;
  try {
    present = openDatabase(database);
    present.pragma('journal_mode = DELETE'); // that needs the file alone
  } catch (error) {
    if (storeError(error, database).fault === 'busy') throw inUse(database, 'exclusive', error);
    // Damaged: that is set aside with it, so nothing is lost.
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
    // The old write-ahead log must be deleted first, or the engine would apply it to the new file.
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
