import { existsSync, statSync } from 'node:fs';
import { StoreError } from '../../error.ts';
import { type Database, openDatabase, writing } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import { acceptCut, isCut } from './seal.ts';

/** The number of the tables below; a program opens a log of its own number and of none above. */
const FORMAT = 1;

/** A log that this thread may read or write. */
export interface LogFacts {
  /** Drawn when the log is made; the books have the same one. */
  readonly installation: string;
  /** The last `seq` that was appended; without any the one that the log began behind. */
  readonly last: number;
  /** Every entry up to here is gone: the books have carried it out. */
  readonly forgotten: number;
  /** Nothing was ever appended. */
  readonly isUnused: boolean;
  /** `restore` keeps it for books that know no log. */
  readonly isOffered: boolean;
  /** Its write-ahead log, in which it went on, is lost: entries may be missing. */
  readonly isCut: boolean;
}

/** Where the log of a database is: `tallyhook.inbox.db` beside `tallyhook.db`. */
export function logFileOf(database: string): string {
  return `${database.replace(/\.db$/, '')}.inbox.db`;
}

/** The write-ahead log of a log that is gone, when it may hold the last entries; else null. */
export function restOfLog(file: string): string | null {
  const rest = `${file}-wal`;
  return !existsSync(file) && (statSync(rest, { throwIfNoEntry: false })?.size ?? 0) > 0 ? rest : null;
}

/** Makes a log whose first entry gets the `seq` behind `after`. The tables appear at once or not at all. */
export function makeLog(file: string, installation: string, after: number): void {
  const rest = restOfLog(file);
  if (rest !== null)
    throw new StoreError('wrong_log', `The log ${file} is gone, and ${rest} is still here; it may hold deliveries.`, {
      hint: `Put the log back beside it. Only when it is lost for good, move ${rest} away, too, then start again.`,
    });
  const log = openDatabase(file, { create: true });
  try {
    writing(log, () => {
      log.exec(`
        CREATE TABLE log (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          format INTEGER NOT NULL,
          installation TEXT NOT NULL,
          began_after INTEGER NOT NULL,
          offered INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE entries (
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          deliveries INTEGER NOT NULL,
          received_at INTEGER NOT NULL,
          bytes BLOB NOT NULL,
          digest BLOB NOT NULL
        ) STRICT;`);
      log
        .prepare('INSERT INTO log (id, format, installation, began_after) VALUES (1, ?, ?, ?)')
        .run(FORMAT, installation, after);
      log.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('entries', ?)").run(after);
    })();
  } finally {
    log.close();
  }
}

/** Opens a log that was made; the caller compares its facts with the books. @throws StoreError */
export function openLog(file: string, { readonly = false } = {}): Database {
  try {
    return openDatabase(file, { readonly });
  } catch (error) {
    throw logError(error, file);
  }
}

/** What a person does about a log that is lost. */
export const LOST = 'tallyhook events lost-log';

/** As `storeError`, of a log: neither another path nor a backup replaces it. */
export function logError(error: unknown, file: string): StoreError {
  const failure = storeError(error, file, 'log');
  if (failure.fault === 'no_access')
    return new StoreError('no_access', `The log ${file} cannot be opened by this user.`, {
      hint: 'Run it as the user of serve, or let this user read and write the log and its folder.',
      cause: failure,
    });
  if (failure.fault !== 'corrupt' && failure.fault !== 'no_database') return failure;
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
  const reason = !isFile ? 'is no file' : failure.fault === 'no_database' ? 'is no log' : 'is damaged';
  return new StoreError('corrupt', `The log ${file} ${reason}; it may hold deliveries that were acknowledged.`, {
    hint: `Stop serve, keep it, and put a sound copy of it back. Is there none, move it away: ${LOST}`,
    cause: failure.cause ?? failure,
  });
}

/** Null: there is no such file, or its making was cut off. */
export function logFactsAt(file: string): LogFacts | null {
  return logFactsAround(file, () => null)?.[0] ?? null;
}

/**
 * The facts of a log, and what `read` says of its books, while other processes append, carry out and forget: `forgotten` as it was before
 * `read`, and `last` as it is afterwards. So a log and books that belong together never seem to be apart.
 */
export function logFactsAround<T>(file: string, read: () => T): [LogFacts, T] | null {
  if (!existsSync(file)) return null;
  const log = openLog(file);
  const ofLog = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw logError(error, file);
    }
  };
  try {
    if (!ofLog(() => isMade(log))) return null;
    const facts = ofLog(() => logFacts(log));
    const { forgotten } = ofLog(facts);
    const said = read();
    return [{ ...ofLog(facts), forgotten, isCut: ofLog(() => isCut(log)) }, said];
  } finally {
    log.close();
  }
}

/** Whether the file holds the tables of a log: an empty one, or one whose making was cut off, holds none. */
export function isMade(log: Database): boolean {
  return log.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'log'").get() !== undefined;
}

interface FactsRow {
  format: number;
  installation: string;
  began_after: number;
  offered: 0 | 1;
  last: number;
  first: number | null;
}

function logFacts(log: Database): () => Omit<LogFacts, 'isCut'> {
  const read = log.prepare<[], FactsRow>(`
    SELECT format, installation, began_after, offered,
      (SELECT seq FROM sqlite_sequence WHERE name = 'entries') AS last, (SELECT min(seq) FROM entries) AS first
    FROM log`);
  return () => {
    const row = read.get();
    if (row === undefined)
      throw logError(new StoreError('corrupt', `The log ${log.name} names no installation.`), log.name);
    const { format, installation, last } = row;
    if (format > FORMAT)
      throw new StoreError('newer_schema', `The log ${log.name} has format ${format}; this program knows ${FORMAT}.`, {
        hint: 'Install the version of Tallyhook that made it, or a newer one.',
      });
    const forgotten = row.first === null ? last : row.first - 1;
    return { installation, last, forgotten, isUnused: last === row.began_after, isOffered: row.offered === 1 };
  };
}

/** Gives the entries of a log other numbers, each higher by so much, so that books that count further never meet one of theirs again. */
export function renumber(file: string, by: number): void {
  onLog(file, (log) => renumberIn(log, by));
}

function renumberIn(log: Database, by: number): void {
  log.prepare('UPDATE entries SET seq = -seq - ?').run(by); // through numbers that no entry has
  log.exec('UPDATE entries SET seq = -seq');
  log.prepare("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'entries'").run(by);
  log.prepare('UPDATE log SET began_after = began_after + ?').run(by);
}

/** Offers a log to the next books that know none, or takes the offer back. */
export function offerLog(file: string, isOffered: boolean): void {
  onLog(file, (log) => log.prepare('UPDATE log SET offered = ?').run(isOffered ? 1 : 0));
}

/** Goes on with what a log that lost its end still holds; one that ends before `carriedOut` goes on behind it. */
export function goOnWithRest(file: string, carriedOut: number): void {
  onLog(file, (log) => {
    acceptCut(log);
    const { last } = logFacts(log)();
    if (last < carriedOut) renumberIn(log, carriedOut - last);
  });
}

/** `work` as one transaction of a log. */
function onLog(file: string, work: (log: Database) => unknown): void {
  const log = openLog(file);
  try {
    writing(log, () => work(log))();
  } finally {
    log.close();
  }
}
