import { afterAll, expect, test } from 'vitest';
import { openArchive } from '../../../../../src/store/sqlite/read/archive.ts';
import { requestWrites } from '../../../../../src/store/sqlite/write/requests.ts';
import type { RecordStory, Story, StoryFilter } from '../../../../../src/store/story.ts';
import { delivery, payout, refund, START_MS, TestDatabase } from '../../../../support/test-database.ts';

const db = new TestDatabase();
const archive = openArchive(db.path);
afterAll(async () => {
  await archive.close();
  db.remove();
});

const now = { nowMs: START_MS + 1 };
const requests = requestWrites(db.database, 'UTC');
const intent = (kind: 'refund' | 'payout', reference: string, key: string) =>
  ({
    kind,
    environment: 'test',
    reference,
    contentDigest: key,
    key,
    proposedKey: key,
    record: null,
    nowMs: START_MS,
  }) as const;
requests.begin(intent('refund', 'TX1', 'KEY1'), now);
requests.settle(
  {
    ...{
      kind: 'refund',
      environment: 'test',
      key: 'KEY1',
      state: 'accepted',
      attempts: 1,
      refusal: null,
      nowMs: START_MS + 1,
    },
    record: { kind: 'refund', environment: 'test', reference: 'R1', wire: { status: 'pending' } },
  },
  now,
);
requests.begin(intent('refund', 'TX1', 'KEY2'), now);
requests.begin(intent('payout', 'P1', 'P1'), now);
requests.begin(intent('payout', 'P2', 'P2'), now);
db.keepAndApply(
  refund('R1', 'pending'), // 1
  refund('R1', 'pending', { data: { amount: '51.00' } }), // variant 1
  refund('R1', 'failed', {}, { environment: 'live' }), // 2
  payout('R1', 'success'), // 3
  delivery({ event: 'invoice.paid', data: { reference: 'R1' } }), // 4
  delivery({ event: 'refund.success', data: { refund_reference: 'R1', domain: 'live', status: 'success' } }), // 5
  payout('P1', 'failed'), // 6
  payout('P1', 'success', { updatedAt: '2026-11-20T09:10:00Z' }), // 7
  refund('OTHER', 'pending'), // 8
);
db.database.exec(`
  UPDATE findings SET closed_at = ${START_MS + 5} WHERE reference = 'R1' AND code = 'variant';
  INSERT INTO backfills (id, environment, since, newest_refund, first_page, started_at, finished_at)
    VALUES (1, 'test', 0, 9, 'page=1', ${START_MS}, ${START_MS + 7}), (2, 'test', 0, 9, 'page=1', ${START_MS}, ${START_MS + 9});
  INSERT INTO refund_listings (record_id, listed_in, listed_at, absences, missed_in) VALUES (1, 1, ${START_MS + 6}, 1, 2)`);

const names = ({ records }: Story) => records.map(({ record }) => `${record.environment} ${record.kind}`);
const ids = (all: readonly { readonly id: number }[]) => all.map(({ id }) => id);

test('a reference is read in every kind and environment with its own evidence; events without a record are listed beside', async () => {
  const story = await archive.story('R1', {});
  expect(names(story)).toEqual(['test refund', 'live refund', 'test payout']);
  expect(story.records.map(({ events }) => ids(events))).toEqual([[1], [2], [3]]);
  expect(ids(story.events)).toEqual([4, 5]);
  expect(story).toMatchObject({ requests: [], truncated: false });
});

test('variants, the request that it answered, its place in the list, and closed findings too', async () => {
  const [first, second] = (await archive.story('R1', {})).records as [RecordStory, RecordStory];
  expect(first.variants).toMatchObject([{ id: 1, eventId: 1, keyId: 'test-1', deliveries: 1 }]);
  expect(first.requests).toMatchObject([{ key: 'KEY1', state: 'accepted', settledAtMs: START_MS + 1, attempts: 1 }]);
  expect(first.listing).toEqual({ listedAtMs: START_MS + 6, absences: 1, missedAtMs: START_MS + 9 });
  expect(first.findings.map(({ code, closedAtMs }) => [code, closedAtMs])).toEqual([
    ['variant', START_MS + 5],
    ['fact_conflict', null],
  ]);
  expect(second).toMatchObject({ variants: [], requests: [], listing: null, findings: [] });
});

test.each<[StoryFilter, string[], number[]]>([
  [{ environment: 'live' }, ['live refund'], []],
  [{ kind: 'payout' }, ['test payout'], [4]],
  [{ kind: 'refund', environment: 'test' }, ['test refund'], [4, 5]],
  [{ kind: 'collection' }, [], [4]],
])('filter by %j', async (filter, records, events) => {
  const story = await archive.story('R1', filter);
  expect(names(story)).toEqual(records);
  expect(ids(story.events)).toEqual(events);
});

test('a payment has the requested refunds; a payout has its request, while that is unanswered', async () => {
  const payment = await archive.story('TX1', {});
  expect(payment).toMatchObject({
    records: [],
    requests: [
      { key: 'KEY1', recordReference: 'R1' },
      { key: 'KEY2', state: 'open', recordReference: null },
    ],
  });
  expect((await archive.story('KEY2', {})).requests).toMatchObject([{ reference: 'TX1' }]);
  expect((await archive.story('P2', {})).requests).toMatchObject([{ key: 'P2', state: 'open' }]);
  expect((await archive.story('P2', { kind: 'refund' })).requests).toEqual([]);
  const known = await archive.story('P1', {});
  expect(known.requests).toEqual([]);
  expect(known.records[0]?.requests).toMatchObject([{ key: 'P1', state: 'open' }]);
});

test('an unknown reference has nothing', async () => {
  expect(await archive.story('r1', {})).toEqual({
    records: [],
    events: [],
    requests: [],
    refunds: [],
    reconciled: { lines: [], matches: [], decisions: [], exceptions: [], breaks: [] },
    truncated: false,
  });
});

test('the refunds of a payment are found by an index, and only the oldest thousand are read', async () => {
  const many = new TestDatabase();
  try {
    const data = { transaction_reference: 'BUSY' };
    many.keepAndApply(...Array.from({ length: 1_001 }, (_, n) => refund(`B${n}`, 'pending', { data })));
    const reading = openArchive(many.path);
    const { refunds, truncated } = await reading.story('BUSY', {});
    expect([refunds.length, refunds[0]?.reference, refunds.at(-1)?.reference, truncated]).toEqual([
      1_000,
      'B0',
      'B999',
      true,
    ]);
    await reading.close();
    const plan = many.database
      .prepare<[], { detail: string }>("EXPLAIN QUERY PLAN SELECT id FROM refunds WHERE transaction_reference = 'BUSY'")
      .all();
    expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining('INDEX refunds_transaction')]);
  } finally {
    many.remove();
  }
});
