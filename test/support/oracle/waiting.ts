import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import SQLite, { type Database } from 'better-sqlite3';
import type { Acks } from './contents.ts';

// What a log holds for its books, read by its documented format. Nothing here is the product's code.

/**
 * The bodies (latin1) that wait in the log of open books, to how often each; null where the books have carried out what the log never
 * had, or the log has forgotten what the books do not hold.
 */
export function waitingBodies(books: Database): Acks | null {
  const carriedOut = seqOf(books);
  const file = books.name.replace(/\.db$/, '.inbox.db');
  const bodies = new Map<string, number>();
  if (carriedOut === null || !existsSync(file)) return bodies;
  const log = new SQLite(file);
  try {
    if (log.prepare("SELECT 1 FROM sqlite_master WHERE name = 'entries'").get() === undefined) return bodies;
    const rows = log.prepare<[], Row>('SELECT seq, bytes, digest FROM entries ORDER BY seq').all();
    const last = log.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'entries'").pluck().get() ?? 0;
    const first = rows[0]?.seq ?? last + 1;
    if (first > carriedOut + 1 || last < carriedOut) return null;
    for (const { seq, bytes, digest } of rows) {
      if (!createHash('sha256').update(bytes).digest().equals(digest)) return null;
      if (seq <= carriedOut) continue;
      for (const body of bodiesIn(bytes)) bodies.set(body, (bodies.get(body) ?? 0) + 1);
    }
    return bodies;
  } finally {
    log.close();
  }
}

interface Row {
  seq: number;
  bytes: Buffer;
  digest: Buffer;
}

/** Null: the power was cut before the table was there. */
function seqOf(books: Database): number | null {
  const table = books.prepare("SELECT 1 FROM sqlite_master WHERE name = 'carried_out'").get();
  return table === undefined ? null : (books.prepare<[], number>('SELECT seq FROM carried_out').pluck().get() ?? null);
}

/** A byte 1, the length of the head in four bytes, the head with the length of each body last, and the bodies. */
function bodiesIn(bytes: Buffer): string[] {
  if (bytes[0] !== 1) throw new Error(`An entry has the format ${bytes[0]}.`);
  const headEnd = 5 + bytes.readUInt32LE(1);
  const head: unknown[][] = JSON.parse(bytes.toString('utf8', 5, headEnd));
  let end = headEnd;
  return head.map((delivery) => {
    const begin = end;
    end += Number(delivery.at(-1));
    return bytes.toString('latin1', begin, end);
  });
}
