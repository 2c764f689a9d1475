import { existsSync, statSync } from 'node:fs';
import { StoreError } from '../../error.ts';
import type { Database } from '../engine/database.ts';
import { hasContents, identityOf } from '../engine/real-file.ts';
import { LOST, type LogFacts, logFactsAround, logFactsAt, logFileOf } from './log-file.ts';

/** What books know of their log. */
export interface KnownLog {
  /** Null: they never had one. */
  readonly installation: string | null;
  /** The last entry that they carried out. */
  readonly seq: number;
}

export function knownLog(books: Database): () => KnownLog {
  const read = books.prepare<[], KnownLog>('SELECT installation, seq FROM carried_out');
  return () => read.get() ?? { installation: null, seq: 0 };
}

/** A log and its books, for a person. */
interface Files {
  readonly file: string;
  readonly books: string;
}

/**
 * For a path where a database may be made.
 *
 * @throws StoreError `wrong_log` when the database is gone, and its log is still here
 */
export function expectBooksOfLog(path: string): void {
  const file = logFileOf(path);
  if (hasContents(path) || logFactsAt(file)?.isUnused !== false || hasContents(path)) return; // another process may just have made both
  throw wrong(
    `The database ${path} is ${existsSync(path) ? 'empty' : 'gone'}, and its log ${file} is still here.`,
    `Put the database back beside its log, or run: ${RESTORE}. Only to begin anew, move the log away.`,
  );
}

/**
 * Holds the log against what its books know. Both may move on meanwhile.
 *
 * @throws StoreError `wrong_log` when the log is gone, or is not the one that these books know
 */
export function expectKnown(known: () => KnownLog, { file, books }: Files): LogFacts {
  const facts = logFactsAround(file, known);
  if (facts === null)
    throw wrong(
      `The log ${file} of the database ${books} is gone; it may hold deliveries that were acknowledged.`,
      `Put it back beside the database. Is it lost for good: ${LOST}`,
    );
  const [log, { installation, seq }] = facts;
  if (log.installation !== installation) throw foreign({ file, books });
  if (log.isCut)
    throw wrong(
      `The write-ahead log ${file}-wal is gone, empty or damaged after an unclean end; deliveries that were acknowledged since it was last moved into the log may be lost.`,
      `Put it back beside the log before anything opens it. Is it lost for good: ${LOST}`,
    );
  if (log.last < seq)
    throw wrong(
      `The log ${file} is older than the database ${books}: it ends at entry ${log.last}, and the database has carried out ${seq}.`,
      `Put the newer log back. Is it lost for good: ${LOST}`,
    );
  if (log.forgotten > seq)
    throw wrong(
      `The database ${books} is older than its log ${file}: it has carried out ${seq} entries, and the log begins behind ${log.forgotten}.`,
      `Put the newer database back, or bring this one in as a backup: ${RESTORE}`,
    );
  return log;
}

const RESTORE = 'tallyhook restore FILE';

export function foreign({ file, books }: Files): StoreError {
  return wrong(
    `The log ${file} belongs to another database than ${books}.`,
    `Put the database of this log back, or: ${RESTORE}. Only to begin anew, move the log away.`,
  );
}

function wrong(message: string, hint: string): StoreError {
  return new StoreError('wrong_log', message, { hint });
}

/** Both must survive together. @throws StoreError `wrong_log` */
export function expectSameDisk({ file, books }: Files): void {
  if (identityOf(file) === null || statSync(books).dev === statSync(file).dev) return;
  throw wrong(
    `The log ${file} lies on another disk than the database ${books}.`,
    'Put both into one folder, without a link.',
  );
}
