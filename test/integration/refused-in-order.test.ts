import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { StoreError } from '../../src/store/error.ts';
import type { Delivery } from '../../src/store/inbox.ts';
import type { OpenInbox } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { patchedTree } from '../support/patched-tree.ts';
import { until } from '../support/wait.ts';

const folder = temporaryFolder();
const [reached, goOn] = [join(folder, 'reached'), join(folder, 'go-on')];

/** No mistake: the writer waits between two of the deliveries that it keeps one by one, until the lock is taken. */
const WAITS_BETWEEN = {
  file: 'src/store/sqlite/writer/thread.ts',
  text: 'for (const [index, one] of deliveries.entries()) {',
  by: `for (const [index, one] of deliveries.entries()) {
      if (Buffer.from(one.body).includes('SOUND11')) {
        const { existsSync, writeFileSync } = process.getBuiltinModule('node:fs');
        writeFileSync(${JSON.stringify(reached)}, '');
        while (!existsSync(${JSON.stringify(goOn)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      }`,
};

const delivery = (reference: string): Delivery => ({
  environment: 'test',
  keyId: 'test-1',
  merchantSignature: 'verified',
  body: Buffer.from(JSON.stringify({ event: 'refund.pending', data: { refund_reference: reference } })),
  sentAt: null,
  receivedAtMs: Date.UTC(2026, 0, 1),
});

test('a lock taken while a group is kept one by one: every delivery gets its own result', async () => {
  const tree = patchedTree(WAITS_BETWEEN);
  const { openStore }: typeof import('../../src/store/open.ts') = await import(join(tree.folder, 'src/store/open.ts'));
  const path = join(folder, 'tallyhook.db');
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
  const names = Array.from({ length: 40 }, (_, index) => `${index % 2 === 0 ? 'FAULTY' : 'SOUND'}${index}`);
  const group = keepAll(inbox, names);
  await new Promise((sent) => setImmediate(sent)); // the writer finds the whole group when it has the lock
  database.exec('ROLLBACK');
  await until(() => existsSync(reached), 'the writer is between two of them');
  database.exec('BEGIN IMMEDIATE');
  const later = keepAll(inbox, ['L0', 'L1', 'L2', 'L3']);
  await new Promise((sent) => setImmediate(sent));
  writeFileSync(goOn, '');
  const all = [...first, ...group, ...later];
  await Promise.any(all.map(({ result }) => result.then((how) => (how === 'busy' ? how : Promise.reject(how)))));
  database.exec('ROLLBACK');

  const results = await Promise.all(all.map(async ({ reference, result }) => ({ reference, how: await result })));
  const references = database.prepare<[], string>('SELECT reference FROM events').pluck().all();
  const kept = results.filter(({ how }) => how === 'kept').map(({ reference }) => reference);
  expect(kept.toSorted()).toEqual(references.toSorted());
  expect(kept).toEqual(['FIRST', 'SOUND1', 'SOUND3', 'SOUND5', 'SOUND7', 'SOUND9']);
  expect(results.filter(({ how }) => how === 'other').map(({ reference }) => reference)).toEqual([
    'FAULTY0',
    'FAULTY2',
    'FAULTY4',
    'FAULTY6',
    'FAULTY8',
    'FAULTY10',
  ]);
  expect(results.filter(({ how }) => how === 'busy')).toHaveLength(29 + later.length);
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
