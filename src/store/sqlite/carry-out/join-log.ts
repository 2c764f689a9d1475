import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { StoreError } from '../../error.ts';
import { type Database, writing } from '../engine/database.ts';
import { identityOf } from '../engine/real-file.ts';
import { type LogFacts, logFactsAt, logFileOf, makeLog, offerLog } from '../log/log-file.ts';

interface BooksRow {
  installation: string | null;
  seq: number;
}

/**
 * Returns the file of the log of these books, which are open. Books that never had a log get one. The log and the books know each other by
 * an installation and by how far the log is carried out.
 *
 * @throws StoreError `wrong_log` when the log is gone, or is not the one of these books
 */
export function joinLog(books: Database): string {
  const file = logFileOf(books.name);
  const read = books.prepare<[], BooksRow>('SELECT installation, seq FROM carried_out');
  const join = books.prepare<[string, number]>('UPDATE carried_out SET installation = ?, seq = ?');
  const known = read.get() as BooksRow;
  if (known.installation !== null)
    expectSame(known.installation, known.seq, logFactsAt(file), { file, books: books.name });
  // Under the lock of the books: of two processes that start, one makes the log.
  else writing(books, () => joinFirst(read.get() as BooksRow))();
  expectSameDisk(books.name, file);
  return file;

  function joinFirst({ installation, seq }: BooksRow): void {
    if (installation !== null) return;
    const log = logFactsAt(file);
    if (log === null) {
      const drawn = randomBytes(16).toString('hex');
      makeLog(file, drawn, seq);
      join.run(drawn, seq);
    } else if (log.isUnused || log.isOffered) {
      join.run(log.installation, log.forgotten);
      if (log.isOffered) offerLog(file, false);
    } else throw foreign(file, books.name);
  }
}

/** Whether these books have a log here: a copy of them has none. */
export function hasLog(books: Database): boolean {
  const installation = books.prepare<[], string | null>('SELECT installation FROM carried_out').pluck().get() ?? null;
  return installation !== null && existsSync(logFileOf(books.name));
}

/**
 * For a path where a database may be made.
 *
 * @throws StoreError `wrong_log` when the database is gone, and its log is still here
 */
export function expectBooksOfLog(path: string): void {
  const file = logFileOf(path);
  if (existsSync(path) || logFactsAt(file)?.isUnused !== false || existsSync(path)) return; // another process may just have made both
  throw wrong(
    `The database ${path} is gone, and its log ${file} is still here.`,
    `Put the database back beside its log, or run: ${RESTORE}. Only to begin anew, move the log away.`,
  );
}

function expectSame(
  installation: string,
  seq: number,
  log: LogFacts | null,
  { file, books }: { file: string; books: string },
): void {
  if (log === null)
    throw wrong(
      `The log ${file} of the database ${books} is gone; it may hold deliveries that were acknowledged.`,
      `Put it back beside the database. Is it lost: ${RESTORE}`,
    );
  if (log.installation !== installation) throw foreign(file, books);
  if (log.last < seq)
    throw wrong(
      `The log ${file} is older than the database ${books}: it ends at entry ${log.last}, and the database has carried out ${seq}.`,
      `Put the newer log back. Is it lost: ${RESTORE}`,
    );
  if (log.forgotten > seq)
    throw wrong(
      `The database ${books} is older than its log ${file}: it has carried out ${seq} entries, and the log begins behind ${log.forgotten}.`,
      `Put the newer database back, or bring this one in as a backup: ${RESTORE}`,
    );
}

const RESTORE = 'tallyhook restore FILE';

function foreign(file: string, books: string): StoreError {
  return wrong(
    `The log ${file} belongs to another database than ${books}.`,
    `Put the database of this log back, or: ${RESTORE}. Only to begin anew, move the log away.`,
  );
}

function wrong(message: string, hint: string): StoreError {
  return new StoreError('wrong_log', message, { hint });
}

/** Both must survive together. */
function expectSameDisk(books: string, file: string): void {
  if (identityOf(file) === null || statSync(books).dev === statSync(file).dev) return;
  throw wrong(
    `The log ${file} lies on another disk than the database ${books}.`,
    'Put both into one folder, without a link.',
  );
}
