import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type Database, writing } from '../engine/database.ts';
import { syncRecovered } from '../engine/sync.ts';
import { expectKnown, expectSameDisk, foreign, type KnownLog, knownLog } from '../log/known-log.ts';
import { logFactsAt, logFileOf, makeLog, offerLog, renumber } from '../log/log-file.ts';

/**
 * Returns the file of the log of these books, which are open. Books that never had a log get one. The log and the books know each other by
 * an installation and by how far the log is carried out.
 *
 * @throws StoreError `wrong_log` when the log is gone, or is not the one of these books
 */
export function joinLog(books: Database): string {
  const file = logFileOf(books.name);
  const files = { file, books: books.name };
  const known = knownLog(books);
  const join = books.prepare<[string, number]>('UPDATE carried_out SET installation = ?, seq = ?');
  // Under the lock of the books: of two processes that start, one makes the log.
  if (known().installation === null) writing(books, () => joinFirst(known()))();
  const { isOffered } = expectKnown(known, files);
  expectSameDisk(files);
  // Each counts on the other: the books on the entries of the log, and the log deletes what the books have carried out.
  for (const one of [file, books.name]) syncRecovered(one);
  // Only once the books know it: after a crash between the two commits the next start takes the offer back.
  if (isOffered) offerLog(file, false);
  return file;

  function joinFirst({ installation, seq }: KnownLog): void {
    if (installation !== null) return;
    const log = logFactsAt(file);
    if (log === null) {
      const drawn = randomBytes(16).toString('hex');
      makeLog(file, drawn, seq);
      join.run(drawn, seq);
    } else if (log.isUnused || log.isOffered) {
      if (log.forgotten < seq) renumber(file, seq - log.forgotten);
      join.run(log.installation, Math.max(log.forgotten, seq));
    } else throw foreign(files);
  }
}

/** Whether the log that is here is to be carried out into these books: they know one, or `restore` offers it to them. */
export function hasLog(books: Database): boolean {
  const file = logFileOf(books.name);
  return existsSync(file) && (knownLog(books)().installation !== null || logFactsAt(file)?.isOffered === true);
}

/** @throws StoreError `wrong_log` when the log that these books know is gone: what it held would be missed without a word */
export function expectLog(books: Database): void {
  if (!existsSync(logFileOf(books.name))) expectOwnLog(books);
}

/** As `joinLog`, for a reader. @throws StoreError `wrong_log` when the log that these books know is gone, or is another one */
export function expectOwnLog(books: Database): void {
  const known = knownLog(books);
  if (known().installation !== null) expectKnown(known, { file: logFileOf(books.name), books: books.name });
}
