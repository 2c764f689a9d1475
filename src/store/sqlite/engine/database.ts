import { accessSync, constants, existsSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import SQLite, { type Database } from 'better-sqlite3';
import { foldedName } from '../../../domain/persons/person.ts';
import { Deadline, type SharedDeadline } from '../../../time/deadline.ts';
import { StoreError } from '../../error.ts';
import { connect } from './connection.ts';
import { storeError } from './failure.ts';
import { makeFile } from './owner.ts';
import { defineRowSum } from './row-sums.ts';

export type { Database } from 'better-sqlite3';

export interface OpenOptions {
  readonly readonly?: boolean;
  /** Makes a missing file, and its folder when only that is missing. Default false: a missing file is an error. */
  readonly create?: boolean;
  /** Transactions of the connection wait for no lock beyond it. */
  readonly deadline?: SharedDeadline | undefined;
}

/** The first version with the fixes of the write-ahead log that we rely on (RELIABILITY 1.15). */
const OLDEST_SQLITE = '3.51.3';
/** Longest wait for a lock, the pause between two looks for the write lock, and that between two tries to switch to write-ahead logging. */
export const BUSY_TIMEOUT_MS = 5_000;
const TURN_POLL_MS = 1;
const SWITCH_POLL_MS = 10;
/** Size to which a checkpoint cuts the write-ahead log, so that a burst does not keep the disk for ever. */
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;
const CACHE_KIB = 8 * 1024;

/** Those of connections that have one. */
const deadlines = new WeakMap<Database, Deadline>();

/** Opens a database with every setting that durability needs, and reads each back; throws when one is wrong. */
export function openDatabase(path: string, options: OpenOptions = {}): Database {
  const file = resolve(path);
  const { readonly = false, create = false, deadline } = options;
  if (create && !readonly) createDatabaseFile(file);
  else expectFile(file);
  let database: Database;
  try {
    database = connect(file, { readonly, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw storeError(error, file);
  }
  try {
    defineRowSum(database);
    // The engine folds no letter beyond ASCII; a name may be null where a row was changed past the program.
    database.function('folded_name', { deterministic: true }, (name: unknown) => foldedName(String(name)));
    configure(database, readonly);
  } catch (error) {
    database.close();
    throw storeError(error, file);
  }
  if (deadline !== undefined) deadlines.set(database, new Deadline(deadline));
  return database;
}

/** `work` as a transaction that takes the write lock first: a deferred one fails at once beside another writer. */
export function writing<Input extends unknown[], Result>(
  database: Database,
  work: (...input: Input) => Result,
): (...input: Input) => Result {
  const transaction = turnTransaction(database);
  const nested = database.transaction(work);
  return (...input) => {
    if (database.inTransaction) return nested(...input);
    transaction.begin();
    try {
      const result = work(...input);
      transaction.commit();
      return result;
    } catch (error) {
      transaction.rollback();
      throw error;
    }
  };
}

/** A transaction that stays open across calls; takes the write lock first. */
export interface OpenTransaction {
  begin(): void;
  commit(): void;
  /** Does nothing when the engine has rolled back already, as it does on a full disk. */
  rollback(): void;
}

export function openTransaction(database: Database): OpenTransaction {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  return {
    begin: () => void begin.run(),
    commit: () => void commit.run(),
    rollback() {
      if (database.inTransaction) database.exec('ROLLBACK');
    },
  };
}

/**
 * A transaction of the books, whose lock many programs take in turns. It waits for the lock as long as the connection waits for any, and looks for it each millisecond: the
 * engine itself looks in pauses of up to 100 ms, and would miss the short time between two transactions of a program that writes many.
 */
export function turnTransaction(database: Database): OpenTransaction {
  const { begin, ...ends } = openTransaction(database);
  const takeTurn = () => {
    const longestMs = Number(database.pragma('busy_timeout', { simple: true }));
    database.pragma('busy_timeout = 0');
    try {
      retryWhileBusy(begin, longestMs, { deadline: deadlines.get(database) });
    } finally {
      database.pragma(`busy_timeout = ${longestMs}`);
    }
  };
  return { begin: takeTurn, ...ends };
}

/** Most that one look for a lock counts as waiting: on a machine that stood still, the holder of the lock stood still, too. */
const LONGEST_LOOK_MS = 100;

/** `work` again and again until it gets the lock that it needs; the engine's error after `longestMs` of waiting, or at the deadline. */
export function retryWhileBusy<Result>(
  work: () => Result,
  longestMs: number,
  { pollMs = TURN_POLL_MS, deadline }: { readonly pollMs?: number; readonly deadline?: Deadline | undefined } = {},
): Result {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; ; ) {
    const lookedAtMs = performance.now();
    try {
      return work();
    } catch (error) {
      const isBusy = error instanceof SQLite.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!isBusy || waitedMs >= longestMs || deadline?.leftMs === 0) throw error;
      Atomics.wait(sleeper, 0, 0, pollMs);
      waitedMs += Math.min(performance.now() - lookedAtMs, LONGEST_LOOK_MS);
    }
  }
}

/**
 * Makes a missing file (0600, in a shared folder 0660), and its folder when only that is missing.
 *
 * @throws StoreError `replaced` when the write-ahead log of a missing database is there: it may hold what was acknowledged last, and a new
 * database would take it over and lose it
 */
export function createDatabaseFile(path: string): void {
  const file = resolve(path);
  const folder = dirname(file);
  refuseOrphanedWriteAheadLog(file);
  try {
    if (!existsSync(file)) {
      // Only the last folder, such as `./data`; a path with a typo in it must be an error.
      if (!existsSync(folder) && existsSync(dirname(folder))) mkdirSync(folder, { mode: 0o700 });
      // The engine would make it readable for everyone; its -wal and -shm files inherit this mode.
      makeFile(file);
    }
  } catch (error) {
    throw folderError(error, file, folder);
  }
  expectFile(file);
  expectWritable(file, folder);
}

function refuseOrphanedWriteAheadLog(file: string): void {
  const log = `${file}-wal`;
  const isOrphaned = !existsSync(file) && (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (!isOrphaned || existsSync(file)) return; // looked at again: another process may just have made both
  throw new StoreError('replaced', `The database ${file} is gone, and its write-ahead log ${log} is still here.`, {
    hint: 'Put the database back beside it, or run: tallyhook restore FILE. Only to begin anew, move that away.',
  });
}

/** Checks the folder too: the log and the lock lie beside the file. */
function expectWritable(file: string, folder: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StoreError(
      'no_access',
      `The database ${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`,
      { hint: `Give this user write access to it and to ${folder}, or change \`database\`.`, cause: error },
    );
  }
}

function expectFile(file: string): void {
  let found: Stats;
  try {
    found = statSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A folder that this user may not enter hides the file: it need not be missing.
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw unreadable(file, error);
    throw new StoreError('no_database', `There is no database at ${file}.`, {
      hint: existsSync(`${file}.lock`)
        ? 'Its lock file is still here: put the database back, or restore a backup: tallyhook restore FILE.'
        : 'Start the receiver once (tallyhook serve), or point `database` at the right file.',
    });
  }
  if (!found.isFile()) {
    throw new StoreError('no_database', `${file} is not a file.`, { hint: 'Point `database` at a file.' });
  }
  // Before the lock file is made: a mistyped path may belong to another program.
  if (!looksLikeDatabase(file)) {
    throw new StoreError('no_database', `${file} is not a database.`, {
      hint: 'Point `database` at a file that Tallyhook made, or at a path that does not exist yet.',
    });
  }
}

function unreadable(file: string, cause: unknown): StoreError {
  const { code } = cause as NodeJS.ErrnoException;
  return new StoreError('no_access', `The database ${file} cannot be read (${code}).`, {
    hint: `Run it as the user of serve, or let this user read the file and enter ${dirname(file)}.`,
    cause,
  });
}

/**
 * Asks the engine, and never reads the file beside it: when a process closes any descriptor of a file, the system drops all locks
 * that the process has on it, also those of the engine's open connections, and another program would then delete the log of a
 * running `serve` (https://www.sqlite.org/howtocorrupt.html, 2.2). True also for an empty file, which is new, and for one
 * that the engine cannot read now.
 */
function looksLikeDatabase(file: string): boolean {
  let probe: Database | undefined;
  try {
    probe = connect(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    probe.pragma('schema_version');
    return true;
  } catch (error) {
    return !(error instanceof SQLite.SqliteError && error.code === 'SQLITE_NOTADB');
  } finally {
    probe?.close();
  }
}

function folderError(error: unknown, file: string, folder: string): StoreError {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') {
    return new StoreError('no_folder', `The folder ${folder} of the database does not exist.`, {
      hint: `Make it (mkdir -p ${folder}), or change \`database\`.`,
      cause: error,
    });
  }
  if (code === 'ENOSPC') return new StoreError('disk_full', `The disk of ${file} is full.`, { cause: error });
  return new StoreError('no_access', `The database ${file} cannot be made (${code}).`, {
    hint: `Give this user write access to ${folder}, or change \`database\`.`,
    cause: error,
  });
}

function configure(database: Database, readonly: boolean): void {
  const version = database.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '';
  if (version.localeCompare(OLDEST_SQLITE, 'en', { numeric: true }) < 0) {
    throw new StoreError('other', `SQLite ${version} is older than ${OLDEST_SQLITE}, which fixes a corruption bug.`);
  }
  if (!readonly) expectPragma(database, 'journal_mode', 'wal', switchToWriteAhead(database));
  // After WAL on purpose: this build sets NORMAL when it switches to WAL (RELIABILITY 1.1).
  database.pragma('synchronous = FULL');
  expectPragma(database, 'synchronous', 2);
  database.pragma('foreign_keys = ON');
  expectPragma(database, 'foreign_keys', 1);
  database.pragma(`journal_size_limit = ${WAL_LIMIT_BYTES}`);
  database.pragma(`cache_size = -${CACHE_KIB}`);
  if (readonly) database.pragma('query_only = ON');
}

/**
 * Switches to write-ahead logging. On a new database the engine does not wait while another process does the same, so the
 * wait is here, as long as for any lock.
 */
function switchToWriteAhead(database: Database): unknown {
  const change = () => database.pragma('journal_mode = WAL', { simple: true });
  return retryWhileBusy(change, BUSY_TIMEOUT_MS, { pollMs: SWITCH_POLL_MS });
}

function expectPragma(
  database: Database,
  name: string,
  needed: unknown,
  seen = database.pragma(name, { simple: true }),
): void {
  if (seen === needed) return;
  throw new StoreError('other', `The database ${database.name} has ${name} = ${seen}; it must be ${needed}.`, {
    hint: 'It may lie on a network file system, which cannot keep a write-ahead log. Use a local disk.',
  });
}
