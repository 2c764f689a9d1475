import { afterAll, expect, test } from 'vitest';
import { type Amount, formatAmount } from '../../../../../src/domain/money/amount.ts';
import type { FindingFilter, RecordFilter } from '../../../../../src/store/records.ts';
import { migrations } from '../../../../../src/store/sqlite/engine/migrate.ts';
import { openArchive } from '../../../../../src/store/sqlite/read/archive.ts';
import { checked } from '../../../../support/check.ts';
import { delivery, payout, refund, START_MS, TestDatabase } from '../../../../support/test-database.ts';

const HOUR_MS = 3_600_000;
const db = new TestDatabase();
db.keepAndApply(
  refund('R1', 'pending'),
  refund('R2', 'pending', { data: { amount: '90071992547409.93', fee: '0.12345' } }),
);
const changed = { receivedAtMs: START_MS + HOUR_MS };
db.keepAndApply(refund('R1', 'success', { updatedAt: '2026-11-20T09:05:00Z' }, changed));
db.keepAndApply(refund('R1', 'failed', {}, { environment: 'live', ...changed }));
const after = { updatedAt: '2026-11-20T09:10:00Z' };
db.keepAndApply(payout('P1', 'failed', {}, changed), payout('P1', 'success', after, changed));
const archive = openArchive(db.path);
afterAll(async () => {
  await archive.close();
  db.remove();
});

test.each<[string, RecordFilter, string[]]>([
  ['nothing', {}, ['test R1', 'test R2', 'live R1']],
  ['environment', { environment: 'live' }, ['live R1']],
  ['reference', { reference: 'R1' }, ['test R1', 'live R1']],
  ['reference and environment', { reference: 'R1', environment: 'live' }, ['live R1']],
  ['status', { statuses: ['success'] }, ['test R1']],
  ['since', { by: 'changed', sinceMs: START_MS + 1 }, ['test R1', 'live R1']],
  ['until', { by: 'changed', untilMs: START_MS + 1 }, ['test R2']],
])('filter by %s', async (_what, filter, expected) => {
  const names = async (order: 'oldest' | 'newest') =>
    (await archive.records('refund', filter, { limit: 10, order })).map((one) => `${one.environment} ${one.reference}`);
  expect(await names('oldest')).toEqual(expected);
  expect(await names('newest')).toEqual(expected.toReversed());
});

test('pages of records', async () => {
  const page = { limit: 2, order: 'newest' } as const;
  const first = await archive.records('refund', {}, page);
  const rest = await archive.records('refund', {}, { ...page, afterId: first.at(-1)?.id ?? 0 });
  expect([...first, ...rest].map(({ id }) => id)).toEqual([3, 2, 1]);
});

test('money is exact beyond 2^53, and beyond two decimals', async () => {
  const [record] = await archive.record('refund', 'R2');
  const { amount } = record?.facts ?? {};
  const { fee } = record?.details ?? {};
  expect(typeof amount === 'object' && amount !== null && formatAmount(amount)).toBe('90071992547409.93');
  expect(typeof fee === 'object' && fee !== null && formatAmount(fee)).toBe('0.12345');
});

test('a record in detail: observations, history, findings', async () => {
  const [record, ...others] = await archive.record('refund', 'R1', 'test');
  expect(others).toEqual([]);
  expect(record).toMatchObject({ reported: 'success', reportedTime: '2026-11-20T09:05:00Z', confirmed: null });
  expect(record?.observations).toMatchObject([
    { witness: 'webhook', eventId: 1, status: 'pending' },
    { witness: 'webhook', eventId: 3, status: 'success' },
  ]);
  expect(record?.history).toEqual([
    { atMs: START_MS, field: 'reported', from: null, to: 'pending', gap: false },
    { atMs: START_MS + HOUR_MS, field: 'reported', from: 'pending', to: 'success', gap: true },
  ]);
  expect(record?.findings).toEqual([]);
  expect(await archive.record('payout', 'R1')).toEqual([]);
});

test('a record in detail: how check goes, every answer as evidence, and what was expected', async () => {
  const other = new TestDatabase();
  other.keepAndApply(refund('R1', 'pending'));
  other.database.exec(`
    INSERT INTO tracked (kind, record_id, amount_minor, currency, expected_by, tracked_at)
    VALUES ('refund', 1, 9007199254740993, 'USD', ${START_MS + HOUR_MS}, ${START_MS})`);
  const otherArchive = openArchive(other.path);
  const detail = async () => (await otherArchive.record('refund', 'R1'))[0];
  expect(await detail()).toMatchObject({ check: null });
  await checked(other, 'R1', null, { nowMs: START_MS + 1, outcome: 'not_found', detail: 'no such record' });
  expect(await detail()).toMatchObject({
    confirmed: null,
    check: {
      startedAtMs: START_MS + 1,
      leasedUntilMs: null,
      attempts: 1,
      failures: 1,
      outcome: 'not_found',
      detail: 'no such record',
      outcomeAtMs: START_MS + 1,
      settledAtMs: null,
      stuckAtMs: null,
    },
    tracked: { currency: 'USD', expectedByMs: START_MS + HOUR_MS, trackedAtMs: START_MS },
  });
  await checked(other, 'R1', 'processing', { nowMs: START_MS + 2, data: { amount: '50.00' } });
  await checked(other, 'R1', 'processing', { nowMs: START_MS + 3, data: { amount: '50.00' } });
  const record = await detail();
  expect(record).toMatchObject({ confirmed: 'processing', confirmedAtMs: START_MS + 2, check: { failures: 0 } });
  const answers = record?.observations.filter(({ witness }) => witness === 'api') ?? [];
  expect(answers).toMatchObject([
    { counter: 2, answeredAtMs: START_MS + 2, status: 'processing', digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { counter: 3, answeredAtMs: START_MS + 3, status: 'processing', digest: answers[0]?.digest },
  ]);
  expect(formatAmount(record?.tracked?.amount as Amount)).toBe('90071992547409.93');
  await otherArchive.close();
  other.remove();
});

test.each<[string, FindingFilter, number]>([
  ['nothing', {}, 1],
  ['kind', { kinds: ['refund'] }, 0],
  ['environment', { environment: 'live' }, 0],
  ['code', { codes: ['final_conflict'] }, 1],
  ['reference', { reference: 'P1' }, 1],
  ['another reference', { reference: 'P2' }, 0],
])('findings by %s', async (_what, filter, count) => {
  const findings = await archive.findings(filter, { limit: 10, order: 'newest' });
  expect(findings).toHaveLength(count);
  if (count > 0) expect(findings[0]).toMatchObject({ kind: 'payout', reference: 'P1', closedAtMs: null });
});

test('a closed finding is shown only with `closed`', async () => {
  const other = new TestDatabase();
  other.keepAndApply(payout('P1', 'failed'), payout('P1', 'success', after));
  other.database.exec(`UPDATE findings SET closed_at = ${START_MS}`);
  const otherArchive = openArchive(other.path);
  const page = { limit: 10, order: 'newest' } as const;
  expect(await otherArchive.findings({}, page)).toEqual([]);
  expect(await otherArchive.findings({ closed: true }, page)).toMatchObject([{ closedAtMs: START_MS }]);
  await otherArchive.close();
  other.remove();
});

test('stats count everything', async () => {
  expect(await archive.stats()).toMatchObject({
    events: 6,
    deliveries: 6,
    variants: 0,
    waiting: 0,
    byState: { observed: 6, unknown: 0, quarantined: 0 },
    byKind: { refund: 4, payout: 2, collection: 0, unknown: 0 },
    openFindings: { final_conflict: 1 },
    refusals: [],
    firstReceivedAtMs: START_MS,
    lastReceivedAtMs: START_MS + HOUR_MS,
    schemaVersion: migrations().length,
  });
});

test('of two spellings of one `updated_at` the record shows one, whichever delivery came first', () => {
  const deliveries = ['2026-11-20T09:00:00Z', '2026-11-20T10:00:00.000+01:00'].map((updatedAt) =>
    refund('R9', 'success', { updatedAt }),
  );
  const rows = [deliveries, deliveries.toReversed()].map((order) => {
    const other = new TestDatabase();
    other.keepAndApply(...order);
    const row = other.database
      .prepare('SELECT updated_at, updated_at_utc, (SELECT count(*) FROM events) AS events FROM refunds')
      .get();
    other.remove();
    return row;
  });
  const [updated_at, events] = ['2026-11-20T09:00:00Z', 1];
  const row = { updated_at, updated_at_utc: updated_at, events };
  expect(rows).toEqual([row, row]);
});

test('what stats counted while it was kept is what stands in the events, whatever arrived how often', async () => {
  const other = new TestDatabase();
  const live = { environment: 'live' } as const;
  // A kind that cannot be read, one that ends a quarantine as a variant of it, a duplicate, a variant and an unknown event.
  other.keep(delivery('no JSON'), delivery('no JSON'), delivery({ event: 'something.new', data: { reference: 'X1' } }));
  const contradicted = refund('R2', 'pending', { data: { domain: 'live' } });
  other.keep(contradicted, refund('R2', 'pending'), refund('R2', 'pending', { data: { amount: '51.00' } }));
  other.keep(payout('P1', 'success', {}, live), payout('P1', 'success', {}, live), refund('R1', 'success'));
  other.database.exec("UPDATE events SET pruned_at = 1, body = x'' WHERE reference = 'R1'");
  const rows = other.database.prepare<[], { environment: string; kind: string; state: string; deliveries: number }>(
    'SELECT environment, kind, state, deliveries FROM events',
  );
  const expected = (environment?: string) => {
    const own = rows.all().filter((row) => environment === undefined || row.environment === environment);
    const count = (isOf: (row: (typeof own)[number]) => boolean) => own.filter(isOf).length;
    const by = (column: 'kind' | 'state', words: readonly string[]) =>
      Object.fromEntries(words.map((word) => [word, count((row) => row[column] === word)]));
    return {
      events: own.length,
      deliveries: own.reduce((sum, row) => sum + row.deliveries, 0),
      byKind: by('kind', ['refund', 'payout', 'collection', 'unknown']),
      byState: by('state', ['observed', 'unknown', 'quarantined']),
    };
  };
  const otherArchive = openArchive(other.path);
  const stats = await otherArchive.stats();
  expect(expected().byState).toEqual({ observed: 3, unknown: 1, quarantined: 1 });
  expect(stats).toMatchObject({ ...expected(), pruned: 1 });
  expect(stats.environments).toMatchObject({ test: expected('test'), live: expected('live') });
  await otherArchive.close();
  other.remove();
});

test('stats keep the environments and both statuses apart', async () => {
  const { environments } = await archive.stats();
  expect(environments.test.records).toEqual({
    refund: { reported: { pending: 1, success: 1 }, confirmed: { none: 2 } },
    payout: { reported: { success: 1 }, confirmed: { none: 1 } },
    collection: { reported: {}, confirmed: {} },
  });
  expect(environments.live).toMatchObject({
    events: 1,
    records: { refund: { reported: { failed: 1 }, confirmed: { none: 1 } }, payout: { reported: {} } },
    openFindings: {},
  });
});

test('what is written while the archive is open is seen by its next read', async () => {
  const other = new TestDatabase();
  const otherArchive = openArchive(other.path);
  const page = { limit: 10, order: 'newest' } as const;
  expect(await otherArchive.events({}, page)).toEqual([]);
  other.keepAndApply(refund('R1', 'pending'));
  expect(await otherArchive.events({}, page)).toHaveLength(1);
  await otherArchive.close();
  other.remove();
});
