import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RequestIntent, SettledRequest, StartedRecord } from '../../../../../src/domain/request.ts';
import { openDatabase } from '../../../../../src/store/sqlite/engine/database.ts';
import { migrate, migrations } from '../../../../../src/store/sqlite/engine/migrate.ts';
import { requestWrites } from '../../../../../src/store/sqlite/write/requests.ts';
import { FixedClock } from '../../../../support/fixed-clock.ts';
import { payout, START_MS, TestDatabase } from '../../../../support/test-database.ts';

let db: TestDatabase;
beforeEach(() => {
  db = new TestDatabase();
});
afterEach(() => db.remove());

const reference = 'payout-of-invoice-17';
const record: StartedRecord = {
  kind: 'payout',
  environment: 'test',
  reference,
  wire: { reference, amount: '100.00', currency: 'NGN' },
};
const intent: RequestIntent = {
  kind: 'payout',
  environment: 'test',
  reference,
  contentDigest: 'content',
  key: reference,
  proposedKey: reference,
  record,
  nowMs: START_MS,
};
const settled: SettledRequest = {
  kind: 'payout',
  environment: 'test',
  key: reference,
  state: 'refused',
  attempts: 1,
  record: null,
  nowMs: START_MS,
};
const count = (table: string) => db.database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();

test('a request is tracked as it begins, and due when its own call must have ended', () => {
  const log = requestWrites(db.database, 'UTC', new FixedClock());
  log.begin(intent);
  log.begin(intent);
  const rows = db.database.prepare('SELECT reference, reported, due_at, amount_minor FROM payouts').all();
  expect(rows).toEqual([{ reference, reported: null, due_at: START_MS + 60_000, amount_minor: 10_000 }]);
  expect(count('observations')).toBe(1);
});

test('with other content nothing is tracked', () => {
  const log = requestWrites(db.database, 'UTC', new FixedClock());
  log.begin(intent);
  log.begin({ ...intent, contentDigest: 'other', record: { ...record, wire: { reference, amount: '200.00' } } });
  expect(count('observations')).toBe(1);
});

test('a refusal takes the record back, and the reference begins anew', () => {
  const log = requestWrites(db.database, 'UTC', new FixedClock());
  log.begin(intent);
  log.settle(settled);
  expect([count('payouts'), count('observations')]).toEqual([0, 0]);
  expect(log.begin(intent)).toMatchObject({ state: 'open', attempts: 1 });
  expect(count('payouts')).toBe(1);
});

test('a refusal takes nothing back when a webhook observed the record', () => {
  const log = requestWrites(db.database, 'UTC', new FixedClock());
  log.begin(intent);
  db.keepAndApply(payout(reference, 'success'));
  log.settle(settled);
  expect([count('payouts'), count('observations')]).toEqual([1, 2]);
});

test.each([
  ['was checked', "checks (kind, record_id, counter, started_at, attempts) SELECT 'payout', id, 1, 1, 1"],
  ['is expected', "tracked (kind, record_id, tracked_at) SELECT 'payout', id, 1"],
])('of a record that %s a refusal takes back only the observation of the request', (_why, referring) => {
  const log = requestWrites(db.database, 'UTC', new FixedClock());
  log.begin(intent);
  db.database.exec(`INSERT INTO ${referring} FROM payouts`);
  log.settle(settled);
  expect(count('observations')).toBe(0);
  const rows = db.database.prepare('SELECT reference, amount_minor, currency, reported FROM payouts').all();
  expect(rows).toEqual([{ reference, amount_minor: null, currency: null, reported: null }]);
});

test('a refusal of an older attempt takes nothing back', () => {
  const log = requestWrites(db.database, 'UTC', new FixedClock());
  log.begin(intent);
  log.begin(intent);
  log.settle(settled);
  expect(count('payouts')).toBe(1);
  log.settle({ ...settled, state: 'accepted', record });
  log.settle({ ...settled, attempts: 2 });
  expect([count('payouts'), count('observations')]).toEqual([1, 1]);
});

test('requests of an older schema are carried over', () => {
  const all = migrations();
  const path = `${db.folder}/older.db`;
  const database = openDatabase(path, { create: true });
  migrate(database, START_MS, all.slice(0, 3));
  database.exec(`
    INSERT INTO requests (kind, environment, key, reference, content_digest, state, record_reference, attempts, created_at)
    VALUES ('refund', 'test', 'th-1', 'TX_81', 'content', 'open', NULL, 2, ${START_MS}),
           ('refund', 'live', 'th-2', 'TX_82', 'other', 'accepted', 'R-2', 1, ${START_MS})`);
  migrate(database, START_MS, all);
  const log = requestWrites(database, 'UTC', new FixedClock());
  const refund = { ...intent, kind: 'refund', key: null, proposedKey: 'th-3', record: null } as const;
  expect(log.begin(refund)).toMatchObject({ key: 'th-1', attempts: 3, createdAtMs: START_MS });
  expect(log.knowsRefund('live', 'R-2')).toBe(true);
  database.close();
});
