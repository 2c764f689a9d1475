import { afterAll, expect, test } from 'vitest';
import { openArchive } from '../../../../../src/store/sqlite/read/archive.ts';
import { checked } from '../../../../support/check.ts';
import { collection, payout, refund, START_MS, TestDatabase } from '../../../../support/test-database.ts';

const MINUTE_MS = 60_000;
const db = new TestDatabase();
const at = (receivedAtMs: number) => ({ receivedAtMs });
const untimed = { data: { updated_at: undefined } };
db.keepAndApply(
  refund('COMPLETED', 'success', { data: { completed_at: '2026-10-31T23:59:59.9996Z' } }),
  refund('CLAIMED', 'pending', { updatedAt: '2026-10-30T10:00:00+01:00' }),
  collection('PAID', 'success', { data: { paid_at: '2026-10-05T08:00:00+01:00' } }),
  collection('UNREADABLE', 'success', { updatedAt: '2026-10-06T08:00:00Z', data: { paid_at: 'soon' } }),
);
db.keepAndApply(payout('LEARNT', 'pending', untimed, at(START_MS)));
db.keepAndApply(payout('LEARNT', 'success', untimed, at(START_MS + MINUTE_MS)));
db.keepAndApply(
  payout('SEEN', 'pending', { data: { updated_at: undefined, status: null } }, at(START_MS + 2 * MINUTE_MS)),
);
const archive = openArchive(db.path);
afterAll(async () => {
  await archive.close();
  db.remove();
});
const effective = async (kind: 'refund' | 'payout' | 'collection', reference: string) => {
  const [record] = await archive.record(kind, reference);
  return record && new Date(record.effectiveAtMs).toISOString();
};

test('the time of the outcome; a fraction of a second never makes it the next day', async () => {
  expect(await effective('refund', 'COMPLETED')).toBe('2026-10-31T23:59:59.000Z');
  expect(await effective('collection', 'PAID')).toBe('2026-10-05T07:00:00.000Z');
});

test('else the time of the winning observation, also where the outcome time cannot be read', async () => {
  expect(await effective('refund', 'CLAIMED')).toBe('2026-10-30T09:00:00.000Z');
  expect(await effective('collection', 'UNREADABLE')).toBe('2026-10-06T08:00:00.000Z');
});

test('else when its status was learnt first; a later confirmation does not move it', async () => {
  expect(await effective('payout', 'LEARNT')).toBe(new Date(START_MS + MINUTE_MS).toISOString());
  await checked(db, 'LEARNT', 'success', { kind: 'payout', nowMs: START_MS + 90 * MINUTE_MS });
  expect(await effective('payout', 'LEARNT')).toBe(new Date(START_MS + MINUTE_MS).toISOString());
});

test('--since and --until use it; changed is the other time', async () => {
  const found = async (filter: object) =>
    (await archive.records('refund', filter, { limit: 9, order: 'oldest' })).map(({ reference }) => reference);
  const october31 = { sinceMs: Date.parse('2026-10-31T00:00:00Z'), untilMs: Date.parse('2026-11-01T00:00:00Z') };
  expect(await found(october31)).toEqual(['COMPLETED']);
  expect(await found({ ...october31, by: 'changed' })).toEqual([]);
  expect(await archive.countRecords('refund', october31)).toBe(1);
  expect(await archive.countRecords('refund', { by: 'changed', sinceMs: START_MS })).toBe(2);
});
