import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import SQLite, { type Database } from 'better-sqlite3';
import { StoreError } from '../../error.ts';
import { storeError } from './failure.ts';

export type { Database } from 'better-sqlite3';

export interface OpenOptions {
  readonly readonly?: boolean;
  /** Makes the file (0600), and its folder when only that is missing. Default false: a missing file is an error. */
  readonly create?: boolean;
  /** FULL always; NORMAL exists for the one test that proves why. */
  readonly synchronous?: 'FULL' | 'NORMAL';
}

/** Fixes of the write-ahead log that we rely on are in from here (RELIABILITY 1.15). */
const OLDEST_SQLITE = '3.51.3';
const BUSY_TIMEOUT_MS = 5_000;
const SWITCH_POLL_MS = 10;
/** The log is cut back to this after a checkpoint, so that one burst does not keep the disk for ever. */
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;
const CACHE_KIB = 8 * 1024;

/** Opens a database with every setting that durability rests on, and reads each back: a wrong one refuses to open. */
export function openDatabase(path: string, options: OpenOptions = {}): Database {
  const file = resolve(path);
  const { readonly = false, create = false, synchronous = 'FULL' } = options;
  if (create && !readonly) createDatabaseFile(file);
  else expectFile(file);
  let database: Database;
  try {
    database = new SQLite(file, { readonly, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw storeError(error, file);
  }
  try {
    configure(database, readonly, synchronous);
  } catch (error) {
    database.close();
    throw storeError(error, file);
  }
  return database;
}

/** `work` as a transaction that takes the write lock first: a deferred one fails at once when another writes. */
export function writing<Input extends unknown[], Result>(
  database: Database,
  work: (...input: Input) => Result,
): (...input: Input) => Result {
  const transaction = database.transaction(work);
  return (...input) => transaction.immediate(...input);
}

/** A transaction that stays open across calls, for the writer's loop. It too takes the write lock first. */
export interface OpenTransaction {
  begin(): void;
  commit(): void;
  /** Also after the engine has rolled back by itself, as it does when the disk is full. */
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

/** Makes the file (0600) when it is missing, and its folder when only that is. */
export function createDatabaseFile(path: string): void {
  const file = resolve(path);
  const folder = dirname(file);
  try {
    if (!existsSync(file)) {
      // Only the last folder, as `./data` in a new place; a path with a typo in it should be an error.
      if (!existsSync(folder) && existsSync(dirname(folder))) mkdirSync(folder, { mode: 0o700 });
      // The engine would make it readable for everyone; its -wal and -shm files inherit this mode.
      closeSync(openSync(file, 'a', 0o600));
    }
  } catch (error) {
    throw folderError(error, file, folder);
  }
  expectFile(file);
  expectWritable(file, folder);
}

/** The folder too: the log and the lock lie beside the file. */
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
  if (!existsSync(file)) {
    throw new StoreError('no_database', `There is no database at ${file}.`, {
      hint: 'Start the receiver once (tallyhook serve), or point `database` at the right file.',
    });
  }
  if (!statSync(file).isFile()) {
    throw new StoreError('no_database', `${file} is no file.`, { hint: 'Point `database` at a file.' });
  }
  // Before anything is made beside it: the lock of a mistyped path could mean something to others.
  if (!looksLikeDatabase(file)) {
    throw new StoreError('no_database', `${file} is not a database.`, {
      hint: 'Point `database` at a file that Tallyhook made, or at a path that does not exist yet.',
    });
  }
}

const HEADER = 'SQLite format 3\0';

/**
 * An empty file is one that was only just made, and a header of zeros one whose making was cut off: the engine knows from
 * the journal beside it. A file that cannot be read is for the engine to refuse, too.
 */
function looksLikeDatabase(file: string): boolean {
  const start = Buffer.alloc(HEADER.length);
  try {
    const descriptor = openSync(file, 'r');
    const length = readSync(descriptor, start);
    closeSync(descriptor);
    return length === 0 || start.every((byte) => byte === 0) || start.toString('latin1') === HEADER;
  } catch {
    return true;
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

function configure(database: Database, readonly: boolean, synchronous: 'FULL' | 'NORMAL'): void {
  const version = database.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '';
  if (version.localeCompare(OLDEST_SQLITE, 'en', { numeric: true }) < 0) {
    throw new StoreError('other', `SQLite ${version} is older than ${OLDEST_SQLITE}, which mends a corruption bug.`);
  }
  if (!readonly) expectPragma(database, 'journal_mode', switchToLog(database), 'wal');
  // After WAL, on purpose: this build falls back to NORMAL when it switches (RELIABILITY 1.1).
  database.pragma(`synchronous = ${synchronous}`);
  expectPragma(
    database,
    'synchronous',
    database.pragma('synchronous', { simple: true }),
    synchronous === 'FULL' ? 2 : 1,
  );
  database.pragma('foreign_keys = ON');
  expectPragma(database, 'foreign_keys', database.pragma('foreign_keys', { simple: true }), 1);
  database.pragma(`journal_size_limit = ${WAL_LIMIT_BYTES}`);
  database.pragma(`cache_size = -${CACHE_KIB}`);
  if (readonly) database.pragma('query_only = ON');
}

/**
 * The one statement for which the engine does not wait when another process is doing the same, on a database that is
 * only just made: so we do, as long as for any lock.
 */
function switchToLog(database: Database): unknown {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; ; waitedMs += SWITCH_POLL_MS) {
    try {
      return database.pragma('journal_mode = WAL', { simple: true });
    } catch (error) {
      const busy = error instanceof SQLite.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!busy || waitedMs >= BUSY_TIMEOUT_MS) throw error;
      Atomics.wait(sleeper, 0, 0, SWITCH_POLL_MS);
    }
  }
}

function expectPragma(database: Database, name: string, seen: unknown, needed: unknown): void {
  if (seen === needed) return;
  throw new StoreError('other', `The database ${database.name} has ${name} = ${seen}; it must be ${needed}.`, {
    hint: 'It may lie on a network or overlay file system, which cannot keep a write-ahead log. Use a local disk.',
  });
}
