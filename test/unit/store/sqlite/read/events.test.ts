import { afterAll, expect, test } from 'vitest';
import type { EventFilter } from '../../../../../src/store/events.ts';
import { openArchive } from '../../../../../src/store/sqlite/read/archive.ts';
import { EVENTS_OF_REFERENCE } from '../../../../../src/store/sqlite/rows/events.ts';
import { delivery, payout, refund, START_MS, TestDatabase } from '../../../../support/test-database.ts';
import { allBodies } from '../../../../support/walking.ts';

const HOUR_MS = 3_600_000;
const db = new TestDatabase();
const later = (hours: number) => ({ receivedAtMs: START_MS + hours * HOUR_MS });
db.keepAndApply(
  refund('R1', 'pending'), // 1
  refund('R1', 'success', { updatedAt: '2026-11-20T09:05:00Z' }, later(1)), // 2
  payout('P1', 'success', {}, later(2)), // 3
  refund('R2', 'failed', {}, { environment: 'live', keyId: 'live-1', ...later(3) }), // 4
  delivery({ event: 'balance.low', data: { reference: 'R1' } }, later(4)), // 5: unknown
  delivery('no json', later(5)), // 6: quarantined
  refund('R3', 'success', { data: { domain: 'live' } }, later(6)), // 7: quarantined
  refund('R1', 'pending', {}, later(7)), // event 1 again
  refund('R1', 'pending', { data: { amount: '51.00' } }, later(8)), // a variant of event 1
);
db.keepAndApply(refund('R1', 'processing', { updatedAt: '2026-11-20T08:00:00Z' }, later(9))); // 8
const archive = openArchive(db.path);
afterAll(async () => {
  await archive.close();
  db.remove();
});

const ids = async (filter: EventFilter, page = {}) =>
  (await archive.events(filter, { limit: 100, order: 'oldest', ...page })).map(({ id }) => id);

test.each<[string, EventFilter, number[]]>([
  ['nothing', {}, [1, 2, 3, 4, 5, 6, 7, 8]],
  ['environment', { environment: 'live' }, [4]],
  ['kind', { kinds: ['payout'] }, [3]],
  ['event', { events: ['refund.success'] }, [2, 7]],
  ['state', { states: ['quarantined'] }, [6, 7]],
  ['two states', { states: ['quarantined', 'unknown'] }, [5, 6, 7]],
  ['status', { statuses: ['success'] }, [2, 3]],
  ['status that nothing states', { statuses: ['lost'] }, []],
  ['status and kind', { statuses: ['success'], kinds: ['refund'] }, [2]],
  ['since', { sinceMs: START_MS + 5 * HOUR_MS }, [6, 7, 8]],
  ['until', { untilMs: START_MS + 2 * HOUR_MS }, [1, 2]],
  ['reference: observed and unknown', { reference: 'R1' }, [1, 2, 5, 8]],
  ['reference: quarantined', { reference: 'R3' }, [7]],
  ['reference: of nothing', { reference: "R'" }, []],
  ['reference and status', { reference: 'R1', statuses: ['pending'] }, [1]],
  ['reference and since', { reference: 'R1', sinceMs: START_MS + HOUR_MS }, [2, 5, 8]],
  ['several', { environment: 'test', kinds: ['refund'], states: ['observed'], events: ['refund.pending'] }, [1]],
])('filter by %s', async (_what, filter, expected) => {
  expect(await ids(filter)).toEqual(expected);
  expect(await ids(filter, { order: 'newest' })).toEqual(expected.toReversed());
});

test.each<[string, EventFilter]>([
  ['all', {}],
  ['a reference', { reference: 'R1' }],
])('pages hold every event once, in either direction: %s', async (_what, filter) => {
  for (const order of ['newest', 'oldest'] as const) {
    const seen: number[] = [];
    for (;;) {
      const last = seen.at(-1);
      const page = await ids(filter, { limit: 3, order, ...(last !== undefined && { afterId: last }) });
      if (page.length === 0) break;
      seen.push(...page);
    }
    expect(seen).toEqual(await ids(filter, { order }));
  }
});

test('a page ends at untilId', async () => {
  expect(await ids({}, { untilId: 3 })).toEqual([1, 2, 3]);
  expect(await ids({}, { untilId: 3, order: 'newest', limit: 2 })).toEqual([3, 2]);
  expect(await ids({ reference: 'R1' }, { untilId: 5 })).toEqual([1, 2, 5]);
});

test('a summary says what is known of the event', async () => {
  const [first] = await archive.events({}, { limit: 1, order: 'oldest' });
  expect(first).toEqual({
    id: 1,
    environment: 'test',
    event: 'refund.pending',
    reference: 'R1',
    updatedAt: '2026-11-20T09:00:00Z',
    kind: 'refund',
    state: 'observed',
    quarantine: null,
    status: 'pending',
    keyId: 'test-1',
    merchantSignature: 'verified',
    sentAt: null,
    receivedAtMs: START_MS,
    lastReceivedAtMs: START_MS + 8 * HOUR_MS,
    deliveries: 3,
    variants: 1,
    prunedAtMs: null,
  });
});

test('bodies come byte for byte, with every variant', async () => {
  const all = await allBodies(archive);
  expect(all.map(({ body }) => Buffer.from(body).toString())[5]).toBe('no json');
  expect(all[0]?.contents.map(({ body }) => JSON.parse(Buffer.from(body).toString()).data.amount)).toEqual(['51.00']);
});

test('one event: the record it moved, from what to what, and its findings', async () => {
  const event = await archive.event(2);
  expect(event).toMatchObject({
    id: 2,
    move: { from: 'pending', to: 'success' },
    record: { kind: 'refund', reference: 'R1', reported: 'success' },
  });
  expect(event?.findings.map(({ code }) => code)).toEqual(['variant', 'fact_conflict']);
  expect(await archive.event(1)).toMatchObject({ move: { from: null, to: 'pending' }, contents: [{ deliveries: 1 }] });
});

test.each([
  ['unknown', 5],
  ['quarantined', 6],
])('an event that is %s moved no record', async (_what, id) => {
  expect(await archive.event(id)).toMatchObject({ record: null, move: null, findings: [] });
});

test('an event that is not there is null', async () => {
  expect(await archive.event(99)).toBeNull();
});

test('an event that came late moves nothing, and says so', async () => {
  const late = new TestDatabase();
  late.keepAndApply(refund('R9', 'success', { updatedAt: '2026-11-20T09:05:00Z' }), refund('R9', 'processing'));
  const lateArchive = openArchive(late.path);
  expect(await lateArchive.event(2)).toMatchObject({ move: { from: 'success', to: 'success' } });
  await lateArchive.close();
  late.remove();
});

test('a look-up by reference reads no table from end to end, and no range of events', () => {
  const sql = `SELECT e.id FROM ${EVENTS_OF_REFERENCE} WHERE e.id BETWEEN @first AND @last ORDER BY e.id`;
  const plan = db.database
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all({ reference: 'R1', first: 1, last: 9 })
    .map(({ detail }) => detail);
  expect(plan.filter((step) => step.startsWith('SCAN') && step !== 'SCAN found')).toEqual([]);
  const joined = plan.filter((step) => /^SEARCH [or] /.test(step));
  expect(joined.filter((step) => step.startsWith('SEARCH r'))).toHaveLength(3);
  expect(joined.every((step) => /\(reference=\?\)|\(kind=\? AND record_id=\?\)/.test(step))).toBe(true);
  expect(plan).toContain('SEARCH e USING INTEGER PRIMARY KEY (rowid=?)');
  expect(plan.some((step) => step.includes('events_without_record'))).toBe(true);
});

test('a body that is not the one whose digest was kept is corruption, and names the event', async () => {
  const damaged = new TestDatabase();
  damaged.keepAndApply(refund('R1', 'pending'), refund('R1', 'pending', { data: { amount: '1.00' } }));
  damaged.database.exec("UPDATE variants SET body = x'7b7d'");
  const damagedArchive = openArchive(damaged.path);
  const corrupt = (what: string) =>
    expect.objectContaining({ fault: 'corrupt', message: expect.stringContaining(what) });
  await expect(damagedArchive.event(1)).rejects.toEqual(corrupt('variant 1 of event 1'));
  damaged.database.exec("UPDATE events SET body = x'7b7d'");
  await expect(damagedArchive.event(1)).rejects.toEqual(corrupt('event 1'));
  await expect(allBodies(damagedArchive)).rejects.toEqual(corrupt('event 1'));
  await damagedArchive.close();
  damaged.remove();
});

test('among more ids than are worth counting all is not counted, and what made no observation is found', async () => {
  expect([await archive.countEvents({}), await archive.countRecords('refund', {})]).toEqual([8, 2]);
  db.database.exec('UPDATE events SET id = 2600000 WHERE id = 5');
  db.database.exec("UPDATE refunds SET id = 600000 WHERE reference = 'R2'");
  expect([await archive.countEvents({}), await archive.countRecords('refund', {})]).toEqual([null, null]);
  expect(await ids({ states: ['quarantined', 'unknown'] }, { order: 'newest' })).toEqual([2_600_000, 7, 6]);
});
