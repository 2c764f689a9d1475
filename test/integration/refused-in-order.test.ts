import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import SQLite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { StoreError } from '../../src/store/error.ts';
import type { Delivery } from '../../src/store/inbox.ts';
import { type OpenInbox, openInbox } from '../../src/store/sqlite/writer/inbox.ts';
import { temporaryFolder, until } from '../support/receiver.ts';

/** Takes the write lock in the gap between two transactions of the writer, once `enough` events are there and not `all`. */
const GRABBER = `
  const { parentPort, workerData: { engine, path, enough, all } } = require('node:worker_threads');
  Error.stackTraceLimit = 0; // so that it tries faster
  const database = new (require(engine))(path, { timeout: 0 });
  const begin = database.prepare('BEGIN IMMEDIATE');
  const count = database.prepare('SELECT count(*) FROM events').pluck();
  parentPort.once('message', () => { database.exec('ROLLBACK'); database.close(); });
  parentPort.postMessage('ready');
  while (count.get() < enough);
  for (;;) {
    try { begin.run(); break; } catch { /* the writer has it */ }
  }
  const kept = count.get();
  if (kept >= all) throw new Error('too late: ' + kept + ' are kept');
  parentPort.postMessage('locked');`;

const delivery = (reference: string): Delivery => ({
  environment: 'test',
  keyId: 'test-1',
  merchantSignature: 'verified',
  body: Buffer.from(JSON.stringify({ event: 'refund.pending', data: { refund_reference: reference } })),
  sentAt: null,
  receivedAtMs: Date.UTC(2026, 0, 1),
});

// The gap between two transactions may be missed ("too late"), then another group is tried.
const TRIES = { retry: 3, timeout: 40_000 };

test(
  'a lock that is taken while a group is kept one by one: nobody is told of the keeping of another',
  TRIES,
  async () => {
    const path = join(temporaryFolder(), 'tallyhook.db');
    const inbox = await openInbox({ path, zone: 'UTC', limit: 1_000, onFatal: () => {} });
    onTestFinished(() => inbox.close());
    const database = new SQLite(path);
    onTestFinished(() => void database.close());
    database.exec(`CREATE TRIGGER of_somebody_else BEFORE INSERT ON events WHEN NEW.reference LIKE 'FAULTY%'
                 BEGIN SELECT RAISE(ABORT, 'this one cannot be kept'); END`);

    // All of them wait for the same lock, so they become one group, and its fault sends them through one by one.
    database.exec('BEGIN IMMEDIATE');
    const first = keepAll(inbox, ['FIRST']);
    await until(() => inbox.depth === 1, 'the writer waits');
    const group = keepAll(
      inbox,
      Array.from({ length: 800 }, (_, index) => `${index % 2 === 0 ? 'FAULTY' : 'SOUND'}${index}`),
    );
    const grabber = new Worker(GRABBER, {
      eval: true,
      workerData: { engine: createRequire(import.meta.url).resolve('better-sqlite3'), path, enough: 10, all: 400 },
    });
    await once(grabber, 'message');
    database.exec('ROLLBACK');
    await once(grabber, 'message');
    const later = keepAll(inbox, ['L0', 'L1', 'L2', 'L3']);
    const all = [...first, ...group, ...later];
    const waited = all.map(({ told }) => told.then((how) => (how === 'busy' ? how : Promise.reject(new Error(how)))));
    await Promise.any(waited); // whoever waited for the lock is refused
    grabber.postMessage('release');

    const told = await Promise.all(all.map(async ({ reference, told }) => ({ reference, how: await told })));
    const references = database.prepare<[], string>('SELECT reference FROM events').pluck().all();
    expect(told.filter(({ reference, how }) => how === 'kept' && !references.includes(reference))).toEqual([]);
  },
);

/** What each was told: `kept`, or why not. */
function keepAll(inbox: OpenInbox, references: readonly string[]) {
  return references.map((reference) => ({
    reference,
    told: inbox.keep(delivery(reference)).then(
      () => 'kept',
      (error: StoreError) => error.fault,
    ),
  }));
}
