import { appendFileSync, existsSync } from 'node:fs';
import { serialize } from 'node:v8';
import type { Carrier } from '../../../src/store/sqlite/carry-out/carry-out.ts';
import type { Database, OpenTransaction } from '../../../src/store/sqlite/engine/database.ts';
import type { EntryRow, entryReads } from '../../../src/store/sqlite/log/reader.ts';
import type { CarryOutCall } from '../../../src/store/sqlite/write/answer.ts';
import type { refusalWrites } from '../../../src/store/sqlite/write/refusals.ts';
import type { requestWrites } from '../../../src/store/sqlite/write/requests.ts';
import { type Write, writesOf } from './written.ts';

/*
 * Records the writes of a database in the order of their commits: each is appended to a file while its transaction still holds the lock.
 * `hooks.ts` puts these functions around those of the program.
 */

type Around<Inner> = (inner: Inner) => Inner;

/** What this thread carries out now, and whether it is in the file already. */
let current: { readonly write: () => Write | null; isWritten: boolean; readonly isOften: boolean } | null = null;
/** The entries that the transaction under way has read, and its time. */
let found: readonly EntryRow[] = [];
let carriedMs: number | null = null;

function during<Result>(write: () => Write | null, work: () => Result, isOften = false): Result {
  const before = current;
  current ??= { write, isWritten: false, isOften };
  try {
    return work();
  } finally {
    current = before;
  }
}

function record(database: Database): void {
  if (current === null || current.isWritten) return;
  const file = writesOf(database.name);
  if (!existsSync(file)) return;
  const write = current.write();
  if (write === null) return;
  current.isWritten = !current.isOften;
  const bytes = serialize(write);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  appendFileSync(file, Buffer.concat([length, bytes]));
}

const recordingCommit = <Open extends (database: Database) => OpenTransaction>(inner: Open) =>
  ((database) => {
    const transaction = inner(database);
    return {
      ...transaction,
      commit() {
        record(database);
        transaction.commit();
      },
    };
  }) as Open;

export const aroundTransaction: Around<(database: Database) => OpenTransaction> = recordingCommit;

export const aroundWriting: Around<
  (database: Database, work: (...input: unknown[]) => unknown) => (...input: unknown[]) => unknown
> = (inner) => (database, work) => {
  let isOutermost = false;
  const transaction = inner(database, (...input) => {
    const isToRecord = isOutermost;
    isOutermost = false;
    const result = work(...input);
    if (isToRecord) record(database);
    return result;
  });
  return (...input) => {
    isOutermost = !database.inTransaction;
    return transaction(...input);
  };
};

export const aroundCalls: Around<(operations: never) => CarryOutCall> = (inner) => (operations) => {
  const call = inner(operations);
  return ({ group, method, input }, { nowMs, caller, credential }) => {
    const { machine, pid } = caller;
    const called = { group, method, input };
    const write = { what: 'call', ...called, nowMs, caller: { machine, pid }, credential, gone: [] } as Write & {
      what: 'call';
    };
    const isGone: typeof caller.isGone = (process) => {
      const answer = caller.isGone(process);
      if (answer) write.gone.push(process);
      return answer;
    };
    return during(
      () => write,
      () => call(called, { nowMs, caller: { machine, pid, isGone }, credential }),
    );
  };
};

export const aroundRequests: Around<typeof requestWrites> = (inner) => (database, zone) => {
  const methods = Object.entries(inner(database, zone)).map(([method, write]) => [
    method,
    (...input: unknown[]) =>
      during(
        () => ({ what: 'request', method, input, zone }),
        () => (write as (...input: unknown[]) => unknown)(...input),
      ),
  ]);
  return Object.fromEntries(methods);
};

export const aroundRefusals: Around<typeof refusalWrites> = (inner) => (database) => {
  const { add } = inner(database);
  return {
    add: (counts, samples) =>
      during(
        () => ({ what: 'refusals', counts, samples }),
        () => add(counts, samples),
      ),
  };
};

export const aroundEntries: Around<typeof entryReads> = (inner) => (log) => {
  const reads = inner(log);
  return {
    ...reads,
    next(...order) {
      found = reads.next(...order);
      return [...found];
    },
  };
};

export const aroundCarrier: Around<(...input: never[]) => Carrier> =
  (inner) =>
  (...input) => {
    const carrier = inner(...input);
    const carried = (): Write | null => {
      const [entries, nowMs] = [found, carriedMs];
      [found, carriedMs] = [[], null];
      return nowMs === null ? null : { what: 'log', entries, nowMs };
    };
    const noting = (now: () => number) => () => {
      carriedMs = now();
      return carriedMs;
    };
    const carrying = <Result>(work: () => Result): Result => {
      const outer = current;
      current = null; // a call that first carries the log out is not under way yet
      try {
        return during(carried, work, true);
      } finally {
        current = outer;
      }
    };
    return {
      ...carrier,
      some: (now) => carrying(() => carrier.some(noting(now))),
      allUntilNow: (now) => carrying(() => carrier.allUntilNow(noting(now))),
    };
  };
