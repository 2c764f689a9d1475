import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import SQLite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { StoreError } from '../../src/store/error.ts';
import type { Delivery, OpenInbox } from '../../src/store/inbox.ts';
import { openStore } from '../../src/store/open.ts';
import { temporaryFolder, until } from '../support/receiver.ts';

/** Takes the write lock between two transactions of the writer, after `enough` and before `all` events are kept. */
const GRABBER = `
  const { parentPort, workerData: { engine, path, enough, all } } = require('node:worker_threads');
  Error.stackTraceLimit = 0; // for faster attempts
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

// The gap between two transactions may be missed ("too late"); then the test is repeated.
const TRIES = { retry: 3, timeout: 40_000 };

test('a lock taken while a group is kept one by one: every delivery gets its own result', TRIES, async () => {
  const path = join(temporaryFolder(), 'tallyhook.db');
  const inbox = await openStore(path, { zone: 'UTC' }).inbox({ limit: 1_000, onFatal: () => {} });
  onTestFinished(() => inbox.close());
  const database = new SQLite(path);
  onTestFinished(() => void database.close());
  database.exec(`CREATE TRIGGER of_another_program BEFORE INSERT ON events WHEN NEW.reference LIKE 'FAULTY%'
                 BEGIN SELECT RAISE(ABORT, 'this one cannot be kept'); END`);

  // All deliveries wait for the same lock and become one group; its fault makes the writer keep them one by one.
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
  const waited = all.map(({ result }) => result.then((how) => (how === 'busy' ? how : Promise.reject(new Error(how)))));
  await Promise.any(waited); // a delivery that waited for the lock is refused
  grabber.postMessage('release');

  const results = await Promise.all(all.map(async ({ reference, result }) => ({ reference, how: await result })));
  const references = database.prepare<[], string>('SELECT reference FROM events').pluck().all();
  expect(results.filter(({ reference, how }) => how === 'kept' && !references.includes(reference))).toEqual([]);
});

/** Keeps a delivery per reference; each result is `kept` or the fault. */
function keepAll(inbox: OpenInbox, references: readonly string[]) {
  return references.map((reference) => ({
    reference,
    result: inbox.keep(delivery(reference)).then(
      () => 'kept',
      (error: StoreError) => error.fault,
    ),
  }));
}
