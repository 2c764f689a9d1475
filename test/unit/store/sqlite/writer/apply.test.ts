import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { observationOf } from '../../../../../src/domain/events/webhook-observation.ts';
import { sampleBody } from '../../../../../src/receive/sample/sample.ts';
import { openDatabase, openTransaction } from '../../../../../src/store/sqlite/engine/database.ts';
import { migrate } from '../../../../../src/store/sqlite/engine/migrate.ts';
import { eventWrites } from '../../../../../src/store/sqlite/write/events.ts';
import { contentApplier } from '../../../../../src/store/sqlite/writer/apply.ts';

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

function openStore() {
  const folder = mkdtempSync(join(tmpdir(), 'tallyhook-apply-'));
  const database = openDatabase(join(folder, 'tallyhook.db'), { create: true });
  opened.push(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  migrate(database, 0);
  const transaction = openTransaction(database);
  const events = eventWrites(database);
  const applier = contentApplier(database, (content) => observationOf(content, 'Africa/Lagos'));
  const within = <Result>(work: () => Result): Result => {
    transaction.begin();
    const result = work();
    transaction.commit();
    return result;
  };
  return {
    database,
    applyNext: (records: number) => within(() => applier.applyNext(records, 0)),
    keep: (bodies: readonly string[]) =>
      within(() =>
        events.keep(
          bodies.map((body) => ({
            environment: 'test',
            keyId: 'test-1',
            merchantSignature: 'verified',
            body: Buffer.from(body),
            sentAt: null,
            receivedAtMs: 0,
          })),
        ),
      ),
    remember: applier.remember,
    applier,
  };
}

const update = (reference: string, second: number, event: 'refund.processing' | 'refund.failed'): string =>
  sampleBody({
    event,
    environment: 'test',
    reference,
    amountMinor: 5_000n,
    currency: 'USD',
    updatedAt: new Date(Date.UTC(2026, 2, 1) + second * 1_000).toISOString(),
  });

test('many contents of one record are one step, and so one fold', () => {
  const store = openStore();
  store.keep(Array.from({ length: 600 }, (_, second) => update('RFD_HOT', second, 'refund.processing')));
  expect([store.applyNext(4), store.applyNext(4), store.applyNext(4)].map(({ contents }) => contents)).toEqual([
    256, 256, 88,
  ]);
  expect(store.applyNext(4).contents).toBe(0);
  const reported = store.database.prepare('SELECT reported, reported_time FROM refunds').all();
  expect(reported).toEqual([{ reported: 'processing', reported_time: '2026-03-01T00:09:59Z' }]);
  expect(store.database.prepare('SELECT count(*) FROM observations').pluck().get()).toBe(600);
});

test('a step moves at most its limit of records, and the next goes on where it stopped', () => {
  const store = openStore();
  const kept = store.keep(
    ['A', 'B', 'A', 'C', 'D'].map((name, second) => update(`RFD_${name}`, second, 'refund.processing')),
  );
  for (const { content } of kept) if (content !== null) store.remember(content, 700);
  expect(store.applyNext(2).contents).toBe(3);
  expect(store.applyNext(2).contents).toBe(2);
  expect(store.database.prepare('SELECT reference FROM refunds ORDER BY id').pluck().all()).toEqual([
    'RFD_A',
    'RFD_B',
    'RFD_C',
    'RFD_D',
  ]);
});

const REFERENCES = 'SELECT reference FROM refunds ORDER BY id';

test('what was rolled back is applied again', () => {
  const store = openStore();
  const kept = store.keep(['A', 'B', 'C', 'D'].map((name) => update(`RFD_${name}`, 0, 'refund.processing')));
  for (const { content } of kept) if (content !== null) store.remember(content, 700);
  store.database.exec('BEGIN IMMEDIATE');
  expect([2, 1].map((records) => store.applier.applyNext(records, 0).contents)).toEqual([2, 1]);
  store.database.exec('ROLLBACK');
  expect([3, 3, 3].map((records) => store.applyNext(records).contents)).toEqual([3, 1, 0]);
  expect(store.database.prepare(REFERENCES).pluck().all()).toEqual(['RFD_A', 'RFD_B', 'RFD_C', 'RFD_D']);
});

test('an id that is missing holds nothing up', () => {
  const store = openStore();
  store.keep(['A', 'B', 'C', 'D'].map((name) => update(`RFD_${name}`, 0, 'refund.processing')));
  store.database.exec("DELETE FROM events WHERE reference IN ('RFD_A', 'RFD_C')");
  expect([9, 9, 9].map((records) => store.applyNext(records).contents)).toEqual([1, 1, 0]);
  expect(store.database.prepare(REFERENCES).pluck().all()).toEqual(['RFD_B', 'RFD_D']);
});

test('the history shows each move, also of contents that were applied together', () => {
  const store = openStore();
  store.keep([
    update('RFD_1', 0, 'refund.processing'),
    update('RFD_1', 1, 'refund.failed'),
    update('RFD_1', 2, 'refund.processing'),
  ]);
  expect(store.applyNext(4).contents).toBe(3);
  expect(store.database.prepare('SELECT n, from_status, to_status FROM history ORDER BY n').all()).toEqual([
    { n: 1, from_status: null, to_status: 'processing' },
    { n: 2, from_status: 'processing', to_status: 'failed' },
    { n: 3, from_status: 'failed', to_status: 'processing' },
  ]);
});
