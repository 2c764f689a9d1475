import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../../../src/config/load.ts';
import { STANDARD_CHECK_RULES } from '../../../../../src/domain/checks/next-check.ts';
import { prune, pruneBySchedule, survey } from '../../../../../src/jobs/prune.ts';
import type { Prunable } from '../../../../../src/store/pruning.ts';
import { openArchive } from '../../../../../src/store/sqlite/read/archive.ts';
import type { OpenOperations } from '../../../../../src/store/store.ts';
import { FixedClock } from '../../../../support/fixed-clock.ts';
import { openOperations } from '../../../../support/operations.ts';
import { leastMet, randomRuns } from '../../../../support/random-runs.ts';
import { delivery, payout, refund, START_MS, TestDatabase } from '../../../../support/test-database.ts';
import { allBodies } from '../../../../support/walking.ts';

const DAY_MS = 86_400_000;
const NOW_MS = START_MS + 400 * DAY_MS;
const BEFORE = { beforeMs: START_MS + 365 * DAY_MS, textsBeforeMs: null, reportsBeforeMs: null };

let db: TestDatabase;
let operations: OpenOperations;
beforeEach(() => {
  db = new TestDatabase();
  operations = openOperations(db.path, STANDARD_CHECK_RULES, new FixedClock(NOW_MS));
});
afterEach(() => {
  operations.close();
  db.remove();
});

const rows = <Row>(sql: string, from = db) => from.database.prepare<[], Row>(sql).all();
const row = <Row>(sql: string, from = db) => rows<Row>(sql, from)[0];
const parts = (from = operations) => ({
  pruning: from.pruning,
  rewrite: null,
  deleteFiles: null,
  dayOf: (ms: number) => new Date(ms).toISOString().slice(0, 10),
  clock: { nowMs: () => NOW_MS },
  signal: new AbortController().signal,
});
const pruneAll = (from = operations) => prune(BEFORE, parts(from));
const countOf = ({ records, events, variants }: Prunable) => ({ records, events, variants });

/** Every record is settled and confirmed, and watching is over. */
const settleAll = (from = db) => {
  for (const kind of ['refund', 'payout', 'collection']) {
    from.database.exec(`UPDATE ${kind}s SET due_at = NULL, confirmed = reported, pruned_at = NULL`);
  }
};

const paid = (reference: string, email: string) =>
  delivery({
    notify: 'transaction',
    notifyType: 'successful',
    data: {
      reference,
      status: 'success',
      amount: '40.00',
      currency: 'NGN',
      updated_at: '2026-11-20T09:00:00Z',
      customer: { email },
    },
  });
const PERSON = { account_number: '0123456789', account_name: 'Ada Okafor', narration: 'Wages', sessionid: 'S-77' };

describe('what goes and what stays', () => {
  test('bodies and personal data go, everything else stays, and the file does not contain them', async () => {
    db.keepAndApply(
      payout('P1', 'success', { data: { ...PERSON, fee: '1.50' } }),
      paid('C1', 'ada@example.com'),
      refund('R1', 'success'),
    );
    settleAll();
    const before = { payout: row('SELECT * FROM payouts'), collection: row('SELECT * FROM collections') };
    const digests = rows('SELECT body_digest FROM events');
    const found = await survey(BEFORE, parts());
    const done = await pruneAll();
    expect(countOf(done)).toEqual({ records: 3, events: 3, variants: 0 });
    expect(found).toMatchObject({ ...countOf(done), bytes: done.bytes, stopped: false });
    expect(done.bytes).toBeGreaterThan(300);

    const noPerson = { account_number: null, account_name: null, narration: null };
    expect(row('SELECT * FROM payouts')).toEqual({ ...(before.payout as object), ...noPerson, pruned_at: NOW_MS });
    expect(row('SELECT * FROM collections')).toEqual({
      ...(before.collection as object),
      customer_email: null,
      pruned_at: NOW_MS,
    });
    expect(rows('SELECT body_digest FROM events')).toEqual(digests);
    expect(rows('SELECT length(body) AS bytes, length(content_digest) AS digest, pruned_at FROM events')).toEqual(
      Array.from({ length: 3 }, () => ({ bytes: 0, digest: 64, pruned_at: NOW_MS })),
    );
    expect(JSON.stringify(rows('SELECT claim FROM observations'))).toContain('1.50');
    db.database.pragma('wal_checkpoint(TRUNCATE)');
    const file = readFileSync(db.path).toString('latin1');
    for (const text of ['ada@example.com', PERSON.account_number, PERSON.account_name, PERSON.narration])
      expect([text, file.includes(text)]).toEqual([text, false]);
    expect(countOf(await pruneAll())).toEqual({ records: 0, events: 0, variants: 0 });
  });

  const settled = "confirmed = 'success', due_at = NULL";
  const changed = START_MS;
  test.each([
    ['settled, without a next check', settled, '', true],
    ['due in future', `confirmed = 'success', due_at = ${NOW_MS + DAY_MS}`, '', false],
    ['due in the past, because no sweep runs', "confirmed = 'success', due_at = 1", '', false],
    ['not settled', "confirmed = 'processing', due_at = NULL", '', false],
    ['of an unknown status', "confirmed = 'on_hold', due_at = NULL", '', false],
    ['reported alone', 'confirmed = NULL, due_at = NULL', '', false],
    [
      'reported, where there is no endpoint to check with',
      'confirmed = NULL, due_at = NULL',
      "INSERT INTO checks (kind, record_id, counter, started_at, attempts, outcome) VALUES ('refund', 1, 1, 1, 1, 'unconfirmable')",
      true,
    ],
    [
      'reported, and the service did not answer',
      'confirmed = NULL, due_at = NULL',
      "INSERT INTO checks (kind, record_id, counter, started_at, attempts, outcome) VALUES ('refund', 1, 1, 1, 1, 'no_answer')",
      false,
    ],
    ['too young', `${settled}, changed_at = ${BEFORE.beforeMs + 1}`, '', false],
    ['just old enough', `${settled}, changed_at = ${BEFORE.beforeMs}`, '', true],
    ['with an open finding', settled, finding('NULL'), false],
    ['with a closed finding', settled, finding('1'), true],
    ['tracked, and not yet met', settled, tracked('9'), false],
    ['tracked, and met', settled, tracked('NULL'), true],
  ])('a record %s', async (_name, columns, more, goes) => {
    db.keepAndApply(refund('R1', 'success'));
    db.database.exec(`UPDATE refunds SET changed_at = ${changed}, ${columns}; ${more}`);
    expect((await survey(BEFORE, parts())).records).toBe(goes ? 1 : 0);
    expect((await pruneAll()).records).toBe(goes ? 1 : 0);
    expect(row('SELECT length(body) > 0 AS there FROM events')).toEqual({ there: goes ? 0 : 1 });
  });

  test('closed findings lose the account numbers that they quoted, and no other values', async () => {
    const other = '9876543210';
    db.keepAndApply(
      payout('P1', 'success', { data: PERSON }),
      payout('P1', 'success', { updatedAt: '2026-11-20T10:00:00Z', data: { ...PERSON, account_number: other } }),
      refund('R1', 'success'),
      refund('R1', 'success', { updatedAt: '2026-11-20T10:00:00Z', data: { amount: '51.00' } }),
    );
    db.database.exec('UPDATE findings SET closed_at = 1');
    settleAll();
    expect(JSON.stringify(rows('SELECT detail FROM findings'))).toContain(other);
    await pruneAll();
    expect(rows("SELECT subject, detail FROM findings WHERE code = 'fact_conflict' ORDER BY id")).toEqual([
      { subject: 'accountNumber', detail: 'pruned' },
      { subject: 'amount', detail: '50.00 ≠ 51.00' },
    ]);
    db.database.pragma('wal_checkpoint(TRUNCATE)');
    const file = readFileSync(db.path).toString('latin1');
    for (const text of [PERSON.account_number, other]) expect([text, file.includes(text)]).toEqual([text, false]);
  });

  test('events of no known kind go by their age, with their variants; quarantined ones stay', async () => {
    const unknown = (note: string, over = {}) =>
      delivery({ event: 'parcel.sent', data: { reference: 'X1', updated_at: '2026-11-20T09:00:00Z', note } }, over);
    db.keepAndApply(unknown('a'), unknown('b'), delivery('{"event":"parcel.lost"}'), delivery('no json at all'));
    db.keepAndApply(delivery({ event: 'parcel.sent', data: { reference: 'X2' } }, { receivedAtMs: NOW_MS }));
    expect(rows('SELECT state FROM events')).toEqual(
      ['unknown', 'quarantined', 'quarantined', 'unknown'].map((state) => ({ state })),
    );
    expect(countOf(await survey(BEFORE, parts()))).toEqual({ records: 0, events: 1, variants: 1 });
    expect(countOf(await pruneAll())).toEqual({ records: 0, events: 1, variants: 1 });
    expect(rows('SELECT id FROM events WHERE pruned_at IS NOT NULL')).toEqual([{ id: 1 }]);
  });
});

test('the job counts while it prunes, and ends with the same counts', async () => {
  const large = 'x'.repeat(700_000);
  for (const name of ['R1', 'R2', 'R3']) db.keepAndApply(refund(name, 'success', { data: { large } }));
  settleAll();
  const config = loadConfig({ env: { TALLYHOOK_DATABASE: db.path }, cwd: db.folder });
  const seen: Readonly<Record<string, number>>[] = [];
  const { signal, clock } = parts();
  const { counts } = await pruneBySchedule({
    ...{ config: { ...config, prune: { ...config.prune, afterDays: 35 } }, operations, clock, signal, cutOff: signal },
    onWarning: () => {},
    onCounts: (done) => seen.push(done),
  });
  expect(seen.map(({ records }) => records)).toEqual([2, 3]); // a step takes a megabyte
  expect(counts).toMatchObject({ ...seen.at(-1) });
});

describe('a late delivery of what was pruned', () => {
  const one = refund('R1', 'success', { data: { note: 'ü/1' } });
  const again = (body: string | Uint8Array) => ({ ...one, body: Buffer.from(body), receivedAtMs: NOW_MS });
  beforeEach(async () => {
    db.keepAndApply(one);
    settleAll();
    await pruneAll();
  });
  const text = Buffer.from(one.body).toString();

  test.each([
    ['the same bytes', text],
    ['the same content, spaced otherwise', JSON.stringify(JSON.parse(text), null, 2)],
    ['the same content, escaped otherwise', text.replace('ü/1', '\\u00fc\\/1')],
  ])('%s: a duplicate', (_name, body) => {
    expect(db.keepAndApply(again(body))).toMatchObject([{ duplicate: true, eventId: 1 }]);
    expect(row('SELECT deliveries, pruned_at FROM events')).toEqual({ deliveries: 2, pruned_at: NOW_MS });
    expect(row('SELECT due_at, pruned_at FROM refunds')).toEqual({ due_at: null, pruned_at: NOW_MS });
  });

  test('another content: a variant, a finding, and a check', () => {
    expect(db.keepAndApply(again(text.replace('50.00', '51.00')))).toMatchObject([{ duplicate: false, eventId: 1 }]);
    expect(rows('SELECT code FROM findings WHERE closed_at IS NULL ORDER BY code')).toEqual([
      { code: 'fact_conflict' },
      { code: 'variant' },
    ]);
    expect(row('SELECT due_at IS NOT NULL AS due FROM refunds')).toEqual({ due: 1 });
  });

  test('of a variant that is pruned: a duplicate too', async () => {
    const unknown = (note: string) =>
      delivery({ event: 'x.y', data: { reference: 'X', updated_at: '2026-11-20T09:00:00Z', note } });
    db.keepAndApply(unknown('a'), unknown('b'));
    await pruneAll();
    expect(db.keepAndApply(unknown('b'), unknown('a'), unknown('c')).map(({ duplicate }) => duplicate)).toEqual([
      true,
      true,
      false,
    ]);
  });
});

test('a pruned record takes later events as an unpruned one', async () => {
  const statuses = ['pending', 'processing', 'failed', 'success', 'rejected'] as const;
  const event = fc.record({
    kind: fc.constantFrom('refund', 'payout'),
    status: fc.constantFrom(...statuses),
    hour: fc.integer({ min: 10, max: 14 }),
    amount: fc.constantFrom('50.00', '50.00', '50.00', '50.00', '50.00', '50.00', '60.00'),
    name: fc.constantFrom('Ada', 'Obi'),
  });
  const bodies = (events: readonly (typeof event extends fc.Arbitrary<infer Event> ? Event : never)[]) =>
    events.map(({ kind, status, hour, amount, name }) => {
      const more = { updatedAt: `2026-11-20T${hour}:00:00Z`, data: { amount, account_name: name, fee: '1.00' } };
      return kind === 'refund' ? refund('R1', status, more) : payout('P1', status, more);
    });
  const stateOf = (from: TestDatabase) => [
    rows('SELECT reported, reported_time, amount_minor, fee_minor FROM payouts', from),
    rows('SELECT reported, reported_time, amount_minor, fee_minor FROM refunds', from),
    rows('SELECT code, subject, detail, closed_at IS NULL AS open FROM findings ORDER BY kind, id', from),
    rows('SELECT kind, field, from_status, to_status FROM history ORDER BY kind, n', from),
    rows('SELECT kind, identity, status, time FROM observations', from),
    rows('SELECT deliveries FROM events ORDER BY id', from),
  ];
  let pruned = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 1, maxLength: 4 }),
      fc.array(event, { maxLength: 4 }),
      async (first, later) => {
        const [whole, other] = [new TestDatabase(), new TestDatabase()];
        const otherWork = openOperations(other.path, STANDARD_CHECK_RULES);
        for (const each of [whole, other]) {
          each.keepAndApply(...bodies(first));
          settleAll(each);
        }
        pruned += (await pruneAll(otherWork)).events;
        for (const each of [whole, other]) each.keepAndApply(...bodies(later), ...bodies(first));
        expect(stateOf(other)).toEqual(stateOf(whole));
        otherWork.close();
        for (const each of [whole, other]) each.remove();
      },
    ),
    { numRuns: randomRuns(30) },
  );
  expect(pruned).toBeGreaterThanOrEqual(leastMet(4));
});

describe('in steps', () => {
  /** Refunds with `events` events each, of a kilobyte. */
  const fill = (records: number, events: number) => {
    const data = { filler: 'x'.repeat(1_000) };
    for (let record = 0; record < records; record++) {
      const times = Array.from({ length: events }, (_, n) => new Date(START_MS - (events - n) * 60_000).toISOString());
      db.keepAndApply(
        ...times.map((updatedAt, n) =>
          refund(`R${record}`, n === events - 1 ? 'success' : 'processing', { updatedAt, data }),
        ),
      );
    }
    settleAll();
  };
  const step = (after: Parameters<typeof operations.pruning.prune>[0]['after'], from = operations) =>
    from.pruning.prune({ ...BEFORE, after });

  test('a record with more than one step holds is pruned over several, and its personal data last', async () => {
    fill(1, 150);
    const first = await step(null);
    expect(countOf(first)).toEqual({ records: 0, events: 32, variants: 0 });
    expect(row('SELECT pruned_at FROM refunds')).toEqual({ pruned_at: null });
    expect(countOf(await step(first.next))).toEqual({ records: 0, events: 32, variants: 0 });
    // A process that broke off; the next one begins at the beginning and finds the rest.
    expect(countOf(await pruneAll())).toEqual({ records: 1, events: 86, variants: 0 });
  });

  test('a step is bounded by bytes too, and one large body is a step of its own', async () => {
    const large = 'x'.repeat(700_000);
    for (const name of ['R1', 'R2', 'R3']) db.keepAndApply(refund(name, 'success', { data: { large } }));
    settleAll();
    const first = await step(null);
    expect(countOf(first)).toEqual({ records: 2, events: 2, variants: 0 });
    expect(countOf(await step(first.next))).toEqual({ records: 1, events: 1, variants: 0 });
  });

  test('many records that must stay do not make a step long, and those behind them are reached', async () => {
    fill(600, 1);
    db.database.exec("UPDATE refunds SET confirmed = 'on_hold' WHERE id <= 550");
    expect(countOf(await step(null))).toEqual({ records: 0, events: 0, variants: 0 });
    expect(countOf(await pruneAll())).toEqual({ records: 50, events: 50, variants: 0 });
  });

  test('two at once do it once', async () => {
    fill(40, 6);
    const other = openOperations(db.path, STANDARD_CHECK_RULES, new FixedClock(NOW_MS));
    const [one, two] = await Promise.all([pruneAll(), pruneAll(other)]);
    other.close();
    expect([one.events + two.events, one.records >= 0]).toEqual([240, true]);
    expect(one.bytes + two.bytes).toBe((await survey(BEFORE, parts())).bytes + one.bytes + two.bytes);
    expect(row('SELECT count(*) AS done FROM refunds WHERE pruned_at IS NOT NULL')).toEqual({ done: 40 });
  });

  test('stopped: the result says so, and what was pruned stays pruned', async () => {
    fill(100, 2);
    const stop = new AbortController();
    const result = await prune(BEFORE, { ...parts(), signal: stop.signal }, () => stop.abort());
    expect(result).toMatchObject({ stopped: true, events: 32, addresses: 0 });
    expect(row('SELECT count(*) AS done FROM events WHERE pruned_at IS NOT NULL')).toEqual({ done: 32 });
    expect(await survey(BEFORE, { ...parts(), signal: stop.signal })).toMatchObject({ stopped: true, events: 0 });
  });

  test('what is freed is there for the next events, and the file grows no further', async () => {
    const large = 'x'.repeat(60_000);
    const events = (name: string) =>
      Array.from({ length: 30 }, (_, n) => refund(`${name}${n}`, 'success', { data: { large } }));
    const empty = (await operations.pruning.space()).databaseBytes;
    db.keepAndApply(...events('R'));
    settleAll();
    const { databaseBytes, freeBytes } = await pruneAll();
    expect(freeBytes).toBeGreaterThan(0.8 * (databaseBytes - empty));
    db.keepAndApply(...events('S'));
    expect((await operations.pruning.space()).databaseBytes).toBeLessThan(1.1 * databaseBytes);
  });
});

describe('read afterwards', () => {
  test('everything shows what is pruned, and a body that is back is damage', async () => {
    db.keepAndApply(payout('P1', 'success', { data: PERSON }));
    settleAll();
    await pruneAll();
    const archive = openArchive(db.path);
    const contents = { prunedAtMs: NOW_MS, body: Buffer.alloc(0), bodyDigest: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(await archive.event(1)).toMatchObject({ ...contents, status: 'success', record: { prunedAtMs: NOW_MS } });
    expect(await allBodies(archive)).toMatchObject([contents]);
    expect(await archive.events({}, { limit: 9, order: 'oldest' })).toMatchObject([{ prunedAtMs: NOW_MS }]);
    expect(await archive.record('payout', 'P1')).toMatchObject([
      {
        prunedAtMs: NOW_MS,
        facts: { accountNumber: null },
        observations: [{ stated: { facts: { accountNumber: null } } }],
      },
    ]);
    expect(await archive.stats()).toMatchObject({ events: 1, pruned: 1 });
    db.database.exec("UPDATE events SET body = x'00'");
    await expect(archive.event(1)).rejects.toMatchObject({ fault: 'corrupt' });
    db.database.exec("UPDATE events SET body = x'', pruned_at = NULL");
    await expect(archive.event(1)).rejects.toMatchObject({ fault: 'corrupt' });
    await archive.close();
  });
});

function finding(closedAt: string): string {
  return `INSERT INTO findings (kind, record_id, environment, reference, code, subject, detail, opened_at, closed_at)
          VALUES ('refund', 1, 'test', 'R1', 'tie', 'x', 'y', 1, ${closedAt})`;
}

function tracked(reviewAt: string): string {
  return `INSERT INTO tracked (kind, record_id, tracked_at, review_at) VALUES ('refund', 1, 1, ${reviewAt})`;
}
