import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize } from 'node:v8';
import { aesCbcCodec } from '../../../src/domain/requests/payload-codec.ts';
import { StoreError } from '../../../src/store/error.ts';
import { carrier } from '../../../src/store/sqlite/carry-out/carry-out.ts';
import { joinLog } from '../../../src/store/sqlite/carry-out/join-log.ts';
import { type Database, openDatabase } from '../../../src/store/sqlite/engine/database.ts';
import { withLateStatements } from '../../../src/store/sqlite/engine/late-statements.ts';
import { openLog } from '../../../src/store/sqlite/log/log-file.ts';
import { operationCalls } from '../../../src/store/sqlite/write/operations.ts';
import { refusalWrites } from '../../../src/store/sqlite/write/refusals.ts';
import { requestWrites } from '../../../src/store/sqlite/write/requests.ts';
import { rowDifferences } from '../row-differences.ts';
import { type Settings, type Write, writesOf } from './written.ts';

/** Writes that share a transaction the second time. */
const MOST_TOGETHER = 7;

/** A database whose writes are recorded, and the file that it began as. */
export interface Recorded {
  readonly database: string;
  readonly base: string;
  readonly settings: Settings;
}

/**
 * Carries the writes of a closed database out again, on a copy of what it began as, with other borders of its transactions, and compares
 * every row of both. Returns what differs, one sentence each. It runs in a process of its own: its pid, zone and locale are others.
 */
export function carriedOutAgain({ database, base, settings }: Recorded): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'tallyhook-again-'));
  try {
    const file = join(folder, 'tallyhook.db');
    copyFileSync(base, file);
    const books = openDatabase(file);
    try {
      const log = openLog(joinLog(books));
      books.pragma('reverse_unordered_selects = ON');
      books.pragma('synchronous = OFF');
      log.pragma('synchronous = OFF');
      carryOut(books, log, recordedIn(writesOf(database)), settings);
      log.close();
      return rowDifferences(books, database);
    } finally {
      books.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function recordedIn(file: string): Write[] {
  const bytes = readFileSync(file);
  const writes: Write[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32LE(at);
    writes.push(deserialize(bytes.subarray(at + 4, end)));
    at = end;
  }
  return writes;
}

function carryOut(books: Database, log: Database, writes: readonly Write[], settings: Settings): void {
  const late = withLateStatements(books);
  const call = operationCalls(late, settings);
  const refusals = refusalWrites(late);
  const requests = new Map<string, ReturnType<typeof requestWrites>>();
  const { zone, debounceMs, encryption } = settings;
  const codec = encryption === null ? null : aesCbcCodec(encryption);
  const decode = codec === null ? undefined : (payload: string) => codec.decode(payload);
  const carried = carrier(late, log, { zone, debounceMs, decode });
  const append = log.prepare(
    'INSERT INTO entries (seq, deliveries, received_at, bytes, digest) VALUES (?, ?, 0, ?, ?)',
  );

  const requestsIn = (own: string) => {
    const known = requests.get(own) ?? requestWrites(late, own);
    requests.set(own, known);
    return known;
  };

  function again(write: Exclude<Write, { what: 'log' }>): void {
    if (write.what === 'refusals') refusals.add(write.counts, write.samples);
    else if (write.what === 'request') {
      const methods: Readonly<Record<string, (...input: never[]) => unknown>> = requestsIn(write.zone);
      methods[write.method]?.(...(write.input as never[]));
    } else {
      const { group, method, input, nowMs, caller, credential, gone } = write;
      const isGone = (process: { machine: string; pid: number }) =>
        gone.some(({ machine, pid }) => machine === process.machine && pid === process.pid);
      call({ group, method, input }, { nowMs, caller: { ...caller, isGone }, credential });
    }
  }

  // Other borders of transactions: what was a transaction each is one of several, but what the log gave, whose unit is its transaction.
  let together = 0;
  const end = () => {
    if (together > 0) books.exec('COMMIT');
    together = 0;
  };
  for (const write of writes) {
    if (write.what === 'log' || together === MOST_TOGETHER) end();
    if (write.what === 'log') {
      for (const { seq, deliveries, bytes, digest } of write.entries) append.run(seq, deliveries, bytes, digest);
      carried.some(() => write.nowMs);
    } else {
      if (together === 0) books.exec('BEGIN IMMEDIATE');
      together++;
      whateverIsRefused(() => again(write));
    }
  }
  end();
}

/** What is refused the second time was refused the first: the rows are compared. */
function whateverIsRefused(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}
