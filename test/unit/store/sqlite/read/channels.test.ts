import { afterAll, expect, test } from 'vitest';
import { openArchive } from '../../../../../src/store/sqlite/read/archive.ts';
import { checked } from '../../../../support/check.ts';
import { payout, refund, START_MS, TestDatabase } from '../../../../support/test-database.ts';

const MINUTE_MS = 60_000;
const at = (minutes: number) => ({ receivedAtMs: START_MS + minutes * MINUTE_MS });
const db = new TestDatabase();
const archive = openArchive(db.path);
afterAll(async () => {
  await archive.close();
  db.remove();
});

// Ten refunds, one a minute; the even ones are reported as success a minute later, R4 only by the sweep.
for (let n = 0; n < 10; n++) {
  db.keepAndApply(refund(`R${n}`, 'pending', { updatedAt: '2026-11-20T09:59:58Z' }, at(n)));
  if (n === 4) await checked(db, 'R4', 'success', { nowMs: START_MS + 4 * MINUTE_MS + 1 });
  else if (n % 2 === 0) {
    db.keepAndApply(refund(`R${n}`, 'success', { updatedAt: '2026-11-20T10:00:01Z' }, at(n + 0.5)));
  }
}
db.keepAndApply(refund('R9', 'pending', { updatedAt: '2026-11-20T09:59:58Z' }, at(12))); // the same once more
db.keepAndApply(payout('P1', 'success', {}, { environment: 'live', ...at(5) }));
db.keepAndApply(payout('P1', 'success', { data: { amount: '1.00' } }, { environment: 'live', ...at(6) })); // a variant

const query = { sinceMs: START_MS, records: 100, rhythmSinceMs: START_MS, rhythmRecords: 100 };
const refunds = async (more: Partial<typeof query> = {}) => {
  const [sample] = await archive.channels({ ...query, ...more });
  if (sample?.kind !== 'refund') throw new Error('refunds come first');
  return sample;
};

test('records with their moves, events with their times, and when each was first reported', async () => {
  const { records, receipts, firstReports, truncated } = await refunds();
  expect(truncated).toEqual({ test: false, live: false });
  expect(records).toHaveLength(10);
  expect(records[2]).toEqual({
    environment: 'test',
    reported: 'success',
    moves: [
      { field: 'reported', to: 'pending' },
      { field: 'reported', to: 'success' },
    ],
  });
  expect(records[4]?.moves).toEqual([
    { field: 'reported', to: 'pending' },
    { field: 'confirmed', to: 'success' },
  ]);
  expect(receipts).toHaveLength(14);
  expect(receipts.find(({ lastReceivedAtMs }) => lastReceivedAtMs === at(12).receivedAtMs)).toEqual({
    environment: 'test',
    time: '2026-11-20T09:59:58Z',
    receivedAtMs: at(9).receivedAtMs,
    lastReceivedAtMs: at(12).receivedAtMs,
  });
  expect(firstReports.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 10 }, (_, n) => at(n).receivedAtMs));
});

test('an event in several contents was received once; every kind has its sample', async () => {
  const [, payouts, collections] = await archive.channels(query);
  expect(payouts).toMatchObject({ kind: 'payout', records: [{ environment: 'live' }], firstReports: [{}] });
  expect(payouts?.receipts).toHaveLength(1);
  const nothing = { records: [], receipts: [], firstReports: [] };
  expect(collections).toEqual({ kind: 'collection', truncated: { test: false, live: false }, ...nothing });
});

test('the window holds, and so does the limit; beyond it some of the others give the rhythm', async () => {
  expect((await refunds({ sinceMs: at(7).receivedAtMs })).records).toHaveLength(3);
  const limited = await refunds({ records: 2, rhythmRecords: 4 });
  expect(limited.truncated).toEqual({ test: true, live: false });
  expect(limited.records).toHaveLength(2);
  const minutes = limited.firstReports.map(({ atMs }) => (atMs - START_MS) / MINUTE_MS).toSorted();
  expect(minutes).toEqual([2, 5, 8, 9]);
  const none = await refunds({ sinceMs: at(99).receivedAtMs, rhythmSinceMs: at(99).receivedAtMs });
  expect(none).toMatchObject({ truncated: { test: false, live: false }, records: [], firstReports: [] });
});

test('a record without a webhook is no report', async () => {
  db.database.exec(`
    INSERT INTO refunds (environment, reference, confirmed, first_seen_at, changed_at)
    VALUES ('test', 'LISTED', 'success', ${at(20).receivedAtMs}, ${at(20).receivedAtMs})`);
  const all = await refunds();
  expect(all.records).toHaveLength(11);
  expect(all.firstReports).toHaveLength(10);
  expect((await refunds({ sinceMs: at(99).receivedAtMs })).firstReports).toHaveLength(10);
});

test('a flood in one environment, or of what is tracked and not there yet, hides nothing of the other', async () => {
  const busy = new TestDatabase();
  busy.keepAndApply(refund('LIVE', 'success', {}, { environment: 'live', ...at(0) }));
  busy.keepAndApply(...Array.from({ length: 1_500 }, (_, n) => refund(`T${n}`, 'success', {}, at(1))));
  busy.database.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
    INSERT INTO refunds (environment, reference, first_seen_at, changed_at)
    SELECT 'live', 'AWAITED' || i, ${at(2).receivedAtMs}, ${at(2).receivedAtMs} FROM n`);
  const reader = openArchive(busy.path);
  const [sample] = await reader.channels({ ...query, rhythmRecords: 10 });
  await reader.close();
  busy.remove();
  const of = (environment: string) => sample?.records.filter((record) => record.environment === environment);
  expect([of('live')?.length, of('test')?.length]).toEqual([1, 100]);
  expect(sample?.receipts.filter(({ environment }) => environment === 'live')).toHaveLength(1);
  expect(sample?.truncated).toEqual({ test: true, live: false });
});
