import { statSync } from 'node:fs';
import { TallyhookError } from '../../../domain/error.ts';
import { byteCount } from '../../../domain/text/quantity-text.ts';
import { type Examined, failed, ok, skipped } from '../../examination.ts';
import type { Database } from '../engine/database.ts';
import { realFile } from '../engine/real-file.ts';
import { unpackEntry } from '../log/entry.ts';
import { expectBooksOfLog, expectKnown, expectSameDisk, type KnownLog, knownLog } from '../log/known-log.ts';
import { logError, logFactsAt, logFileOf, openLog } from '../log/log-file.ts';
import { entryReads } from '../log/reader.ts';
import { examineFileSystem } from './examine-file.ts';

/** Most bytes of entries in memory. */
const READ_BYTES = 4 * 1024 * 1024;

/** Examines the log of a database that is gone: it may hold deliveries that were acknowledged. */
export function examineLogAlone(path: string): Examined[] {
  try {
    expectBooksOfLog(path);
    return [];
  } catch (error) {
    return [ofError(error, logFileOf(path))];
  }
}

/** Examines the log of an open database: whether it is the one of these books, its disk, and each entry that waits. */
export function examineLog(books: Database): Examined[] {
  const file = logFileOf(books.name);
  const known = knownLog(books);
  if (known().installation === null) return [withoutLog(file)];
  try {
    const checks = [examineKnown(known, file, books.name)];
    return [...checks, examineFileSystem(realFile(file), 'file system of the log'), examineEntries(file, known)];
  } catch (error) {
    return [ofError(error, file)];
  }
}

/** The next start of `serve` makes the log, or takes the one that `restore` kept. */
function withoutLog(file: string): Examined {
  const log = logFactsAt(file);
  if (log === null || log.isUnused) return skipped(NAME, `${file} does not exist yet; serve makes it`);
  if (log.isOffered) return ok(NAME, `${file} waits for the next start of serve, which carries out what it holds`);
  return failed(
    NAME,
    `${file} belongs to another database`,
    'Put the database of this log back, or move the log away.',
  );
}

function examineKnown(known: () => KnownLog, file: string, books: string): Examined {
  const { last } = expectKnown(known, { file, books });
  expectSameDisk({ file, books });
  const bytes = statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  return ok(NAME, `${file} is of this database: entry ${last}, carried out up to ${known().seq}, ${byteCount(bytes)}`);
}

/** Reads the structure of the file, and each entry with its digest. An entry may go while it is read, once it is carried out. */
function examineEntries(file: string, known: () => KnownLog): Examined {
  const log = openLog(file, { readonly: true });
  try {
    const problems = log.pragma('quick_check', { simple: true });
    if (problems !== 'ok') return failed(ENTRIES, String(problems), KEEP);
    const { next } = entryReads(log);
    let [deliveries, bytes, seq] = [0, 0, known().seq];
    for (let some = next(seq, Number.POSITIVE_INFINITY, READ_BYTES); some.length > 0; ) {
      for (const entry of some) {
        if (entry.seq !== seq + 1 && entry.seq - 1 > known().seq)
          return failed(ENTRIES, `entry ${seq + 1} is missing before ${entry.seq}`, KEEP);
        seq = entry.seq;
        try {
          deliveries += unpackEntry(entry.bytes, entry.digest).length;
        } catch (error) {
          return failed(ENTRIES, `entry ${seq} cannot be read: ${(error as Error).message}`, DAMAGED);
        }
        bytes += entry.bytes.length;
      }
      some = next(seq, Number.POSITIVE_INFINITY, READ_BYTES);
    }
    const waiting = deliveries === 0 ? 'none waits' : `${deliveries} deliveries wait, ${byteCount(bytes)}`;
    return ok(ENTRIES, `${waiting}; each as its digest says`);
  } finally {
    log.close();
  }
}

const NAME = 'log';
const ENTRIES = 'entries of the log';
const KEEP = 'Stop serve, keep the files, and put the whole log back.';
const DAMAGED =
  'It is set aside when it is carried out, and the others go on. Check the disk; then: tallyhook events list --aside';

function ofError(error: unknown, file: string): Examined {
  const failure = error instanceof TallyhookError ? error : logError(error, file);
  return failed(NAME, failure.message, failure.hint ?? KEEP);
}
