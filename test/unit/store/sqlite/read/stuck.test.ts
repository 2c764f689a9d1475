import { afterAll, expect, test } from 'vitest';
import { type StuckReason, stuckReason } from '../../../../../src/confirm/stuck.ts';
import type { Delivery } from '../../../../../src/store/inbox.ts';
import { openArchive } from '../../../../../src/store/sqlite/read/archive.ts';
import type { StuckFilter } from '../../../../../src/store/stuck.ts';
import { checked } from '../../../../support/check.ts';
import { FixedClock } from '../../../../support/fixed-clock.ts';
import { payout, refund, START_MS, TestDatabase } from '../../../../support/test-database.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = START_MS + 30 * HOUR_MS;
const LATE: Partial<Delivery> = { receivedAtMs: NOW_MS - HOUR_MS };

const db = new TestDatabase();
db.keepAndApply(
  ...['NEVER', 'WAITING', 'SETTLED', 'UNASKABLE', 'UNAVAILABLE', 'CHECKING', 'GIVEN-BACK'].map((name) =>
    refund(name, 'pending'),
  ),
  refund('LIVE', 'pending', {}, { environment: 'live' }),
  payout('UNPROVEN', 'pending'),
  payout('UNPROVEN-LIVE', 'pending', {}, { environment: 'live' }),
  payout('NOWHERE', 'success'),
  payout('REVERSED', 'success'),
);
db.keepAndApply(refund('YOUNG', 'pending', {}, LATE));
db.keepAndApply(refund('USED-UP', 'pending', {}, LATE), refund('NEWS', 'pending', {}, LATE));

const at = { nowMs: START_MS + 1_000 };
await checked(db, 'WAITING', 'pending', at);
await checked(db, 'SETTLED', 'success', at);
await checked(db, 'UNASKABLE', null, { ...at, outcome: 'unaskable' });
await checked(db, 'UNAVAILABLE', null, { ...at, outcome: 'unavailable', detail: 'connection refused' });
await checked(db, 'LIVE', 'awaiting_settlement', at);
await checked(db, 'UNPROVEN', null, { ...at, kind: 'payout', outcome: 'unproven' });
await checked(db, 'UNPROVEN-LIVE', null, { ...at, kind: 'payout', outcome: 'unproven' });
await checked(db, 'NOWHERE', null, { ...at, kind: 'payout', outcome: 'unconfirmable' });
await checked(db, 'REVERSED', 'success', { ...at, kind: 'payout' });
await checked(db, 'YOUNG', 'pending', { nowMs: NOW_MS - HOUR_MS + 1_000 });
for (const reference of ['USED-UP', 'NEWS']) {
  for (let n = 0; n < 40; n++) await checked(db, reference, null, { nowMs: NOW_MS - HOUR_MS + 1_000 + n });
}
// News after the last attempt makes it due again.
db.keepAndApply(refund('NEWS', 'processing', { updatedAt: '2026-11-20T09:30:00Z' }, { receivedAtMs: NOW_MS - 1_000 }));
// Leased and not finished.
db.database.exec(`
  INSERT INTO checks (kind, record_id, counter, started_at, leased_until, attempts)
  SELECT 'refund', id, 999, ${NOW_MS}, ${NOW_MS + 60_000}, 1 FROM refunds WHERE reference = 'CHECKING'`);
// Leased and released without a check.
db.database.exec(`
  INSERT INTO checks (kind, record_id, counter, started_at, attempts)
  SELECT 'refund', id, 998, ${NOW_MS}, 0 FROM refunds WHERE reference = 'GIVEN-BACK'`);

const archive = openArchive(db.path, new FixedClock(NOW_MS));
afterAll(async () => {
  await archive.close();
  db.remove();
});

const olderThan = (hours: number, more: Partial<StuckFilter> = {}): StuckFilter => ({
  firstSeenBeforeMs: NOW_MS - hours * HOUR_MS,
  ...more,
});
const references = async (filter: StuckFilter, limit = 100) =>
  (await archive.stuck(filter, { limit })).map(({ reference }) => reference);

test('old and not settled, or young with its attempts used up; each with its reason', async () => {
  const found = await archive.stuck(olderThan(24), { limit: 100 });
  expect(found.map((record) => [record.reference, stuckReason(record)])).toEqual([
    ['NEVER', 'never_checked'],
    ['WAITING', 'not_settled'],
    ['UNASKABLE', 'unaskable'],
    ['UNAVAILABLE', 'not_settled'],
    ['CHECKING', 'not_settled'],
    ['GIVEN-BACK', 'never_checked'],
    ['LIVE', 'not_settled'],
    ['USED-UP', 'attempts_used_up'],
  ] satisfies [string, StuckReason][]);
  expect(found[3]?.check).toMatchObject({ outcome: 'unavailable', detail: 'connection refused' });
  expect(found[0]).toMatchObject({ kind: 'refund', reported: 'pending', confirmed: null, check: null });
});

test.each<[string, StuckFilter, string[]]>([
  ['the age', olderThan(31), ['USED-UP']],
  ['an age of nothing', olderThan(0, { environment: 'live' }), ['LIVE']],
  ['the environment', olderThan(24, { environment: 'live' }), ['LIVE']],
  ['the kind', olderThan(24, { kind: 'payout' }), []],
])('filter by %s', async (_what, filter, expected) => {
  expect(await references(filter)).toEqual(expected);
});

test('news of a record with used up attempts leaves it to its age', async () => {
  expect(await references(olderThan(2))).not.toContain('NEWS');
  expect(await references(olderThan(0))).toContain('NEWS');
});

test('pages go on from an id, and end', async () => {
  const filter = olderThan(24, { kind: 'refund' });
  const seen: string[] = [];
  for (let afterId = 0; ; ) {
    const page = await archive.stuck(filter, { afterId, limit: 3 });
    seen.push(...page.map(({ reference }) => reference));
    if (page.length < 3) break;
    afterId = page.at(-1)?.id ?? 0;
  }
  expect(seen).toEqual(await references(filter));
});

test('an unproven or missing endpoint makes no record stuck, and is named (decision 72)', async () => {
  expect(await archive.unconfirmed(olderThan(24))).toEqual([
    { kind: 'payout', environment: 'live', because: 'unproven', records: 1, atLeast: false },
    { kind: 'payout', environment: 'test', because: 'unconfirmable', records: 1, atLeast: false },
    { kind: 'payout', environment: 'test', because: 'unproven', records: 1, atLeast: false },
  ]);
  expect(await archive.unconfirmed(olderThan(24, { environment: 'live' }))).toHaveLength(1);
  expect(await archive.unconfirmed(olderThan(24, { kind: 'refund' }))).toEqual([]);
  expect(await archive.unconfirmed(olderThan(31))).toEqual([]);
});

test('a record that was checked before its endpoint gave a usable answer only waits: the endpoint is proven', async () => {
  const proven = db.database.prepare(
    "INSERT INTO proven_endpoints (environment, endpoint, proven_at) VALUES ('test', 'payout', 1)",
  );
  proven.run();
  expect(await archive.unconfirmed(olderThan(24))).toEqual([
    { kind: 'payout', environment: 'live', because: 'unproven', records: 1, atLeast: false },
    { kind: 'payout', environment: 'test', because: 'unconfirmable', records: 1, atLeast: false },
  ]);
});
