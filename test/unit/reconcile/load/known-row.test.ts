import { afterAll, expect, test } from 'vitest';
import { knownRow } from '../../../../src/reconcile/load/our-rows.ts';
import { openArchive } from '../../../../src/store/sqlite/read/archive.ts';
import { payout, START_MS, TestDatabase } from '../../../support/test-database.ts';

const HOUR_MS = 3_600_000;
const db = new TestDatabase();
const ofOctober = { updatedAt: '2026-10-06T10:00:00Z' };
const untimed = { data: { updated_at: undefined } };
db.keepAndApply(
  payout('DATED', 'success', ofOctober, { receivedAtMs: START_MS }),
  payout('LEARNT', 'success', untimed, { receivedAtMs: START_MS }),
);
const later = { receivedAtMs: START_MS + HOUR_MS };
db.keepAndApply(payout('DATED', 'reversed', untimed, later), payout('LEARNT', 'reversed', ofOctober, later));
const archive = openArchive(db.path);
afterAll(async () => {
  await archive.close();
  db.remove();
});

test('as it was known earlier, a record is placed by its own time where it had one, else by its line', async () => {
  const days = async (asAtMs: number) => {
    const known = await archive.knownRecords({ kind: 'payout', ids: [1, 2], asAtMs });
    const rows = known.map((record) => knownRow(record, (ms) => new Date(ms).toISOString().slice(0, 10)));
    return rows.map((row) => [row?.reference, row?.isDayLearnt, row?.isDayLearnt ? null : row?.day]);
  };
  expect(await days(START_MS + HOUR_MS - 1)).toEqual([
    ['DATED', false, '2026-10-06'],
    ['LEARNT', true, null],
  ]);
  expect(await days(START_MS + HOUR_MS)).toEqual([
    ['DATED', true, null],
    ['LEARNT', false, '2026-10-06'],
  ]);
});
