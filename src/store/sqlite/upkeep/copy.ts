import { closeSync, openSync, rmSync } from 'node:fs';
import SQLite from 'better-sqlite3';
import { StoreError } from '../../error.ts';
import type { Contents } from '../../upkeep.ts';
import { type Database, openDatabase, writing } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import { checkKnown, refuseForeign, schemaVersion } from '../engine/migrate.ts';
import { defineRowSum } from '../engine/row-sums.ts';
import { syncFile } from '../engine/sync.ts';
import { quickCheck } from './quick-check.ts';

/**
 * Per table, how a copy forgets the processes of its original: they neither receive into it nor hold work of it. In a rehearsal
 * beside the running receiver, `status` of the copy would name that one's process.
 */
const FORGET_PROCESSES: Readonly<Record<string, string>> = {
  receivers: 'DELETE FROM receivers',
  answers: 'DELETE FROM answers',
  job_runs: 'DELETE FROM job_runs WHERE outcome IS NULL',
  jobs: 'UPDATE jobs SET leased_until = NULL WHERE leased_until IS NOT NULL',
  checks: 'UPDATE checks SET leased_until = NULL WHERE leased_until IS NOT NULL',
  outbox: 'UPDATE outbox SET leased_until = NULL WHERE leased_until IS NOT NULL',
  alert_notices: 'UPDATE alert_notices SET leased_until = NULL WHERE leased_until IS NOT NULL',
  // Under way still, under a lease that is over: the next import of the account clears away what there is of it.
  accounts: 'UPDATE accounts SET leased_until = 0, machine = NULL, pid = NULL WHERE importing IS NOT NULL',
  reconciliation_runs:
    'UPDATE reconciliation_runs SET leased_until = NULL, machine = NULL, pid = NULL WHERE leased_until IS NOT NULL',
  exception_sheet_imports: 'DELETE FROM exception_sheet_imports',
  // A copy has no log.
  carried_out: 'UPDATE carried_out SET installation = NULL',
};

/**
 * Writes one consistent state of the database to `target` (0600, on disk on return), without the processes that use it, while others
 * write. Errors call it `named`, the name that it gets later.
 */
export function copyInto(source: Database, target: string, named = target): void {
  try {
    closeSync(openSync(target, 'wx', 0o600));
  } catch (error) {
    throw fileError(`${named} cannot be made`, error);
  }
  try {
    // The source file stays read-only; the pragma would also forbid the copy.
    source.pragma('query_only = OFF');
    source.prepare('VACUUM INTO ?').run(target);
    forgetProcesses(target);
    syncFile(target); // the engine's manual does not promise it for VACUUM INTO
  } catch (error) {
    rmSync(target, { force: true });
    throw copyError(error, target, named);
  } finally {
    source.pragma('query_only = ON');
  }
}

function forgetProcesses(copy: string): void {
  const database = new SQLite(copy, { fileMustExist: true }); // without a write-ahead log: a backup is one file
  try {
    defineRowSum(database);
    database.pragma('journal_mode = MEMORY');
    const known = database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    // The copy of an older version has fewer tables.
    const statements = known.flatMap((table) => FORGET_PROCESSES[table] ?? []);
    writing(database, () => database.exec(statements.join(';')))();
  } finally {
    database.close();
  }
}

/**
 * Reads all of a database file and returns its contents.
 *
 * @throws StoreError when it is not one of ours, damaged, or has a migration that this program does not have
 */
export function inspect(file: string): Contents {
  const database = openDatabase(file, { readonly: true });
  try {
    refuseForeign(database);
    const version = schemaVersion(database);
    checkKnown(database);
    if (version === 0) throw new StoreError('no_database', `${file} holds no tables of Tallyhook.`);
    const [problem] = quickCheck(file);
    if (problem !== undefined) {
      throw new StoreError('corrupt', `${file} is damaged: ${problem}.`, { hint: 'Use another backup.' });
    }
    const count = database.prepare<[], { events: number; last: number | null }>(
      'SELECT count(*) AS events, max(last_received_at) AS last FROM events',
    );
    const { events = 0, last = null } = count.get() ?? {};
    return { schemaVersion: version, events, lastReceivedAtMs: last };
  } catch (error) {
    throw storeError(error, file);
  } finally {
    database.close();
  }
}

/** A full disk under the copy is not the disk of the database: receiving goes on. */
function copyError(error: unknown, target: string, named: string): StoreError {
  const failure = storeError(error, target);
  if (failure.fault !== 'disk_full') return failure;
  const hint = 'Free some space there, and run it again.';
  return new StoreError('disk_full', `${named} cannot be written: the disk is full.`, { hint, cause: error });
}

/** A StoreError for an error of the file system. */
export function fileError(what: string, error: unknown): StoreError {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOSPC') return new StoreError('disk_full', `${what}: the disk is full.`, { cause: error });
  if (code === 'ENOENT') {
    return new StoreError('no_folder', `${what}: the folder does not exist.`, { hint: 'Make it first.', cause: error });
  }
  const hint = 'Check that this user may write to the folder.';
  return new StoreError('no_access', `${what} (${code}).`, { hint, cause: error });
}
