import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseAmount } from '../../../../../src/domain/amount.ts';
import type { Expected } from '../../../../../src/domain/expectation-input.ts';
import { openArchive } from '../../../../../src/store/sqlite/read/archive.ts';
import { checkWrites } from '../../../../../src/store/sqlite/write/checks.ts';
import { requestWrites } from '../../../../../src/store/sqlite/write/requests.ts';
import { trackedWrites } from '../../../../../src/store/sqlite/write/tracked.ts';
import { MOST_REVIEWED } from '../../../../../src/store/tracking.ts';
import { FixedClock } from '../../../../support/fixed-clock.ts';
import { payout, START_MS, TestDatabase } from '../../../../support/test-database.ts';

let db: TestDatabase;
let log: ReturnType<typeof trackedWrites>;
beforeEach(() => {
  db = new TestDatabase();
  log = trackedWrites(db.database);
});
afterEach(() => db.remove());

const DAY_MS = 86_400_000;
const expected = (reference: string, over: Partial<Expected> = {}): Expected => ({
  kind: 'payout',
  environment: 'test',
  reference,
  amount: parseAmount('100.00'),
  currency: 'NGN',
  expectedByMs: null,
  ...over,
});
const track = (...all: Expected[]) => log.track({ expected: all, nowMs: START_MS });
const rows = <Row>(sql: string) => db.database.prepare<[], Row>(sql).all();
const openFindings = () =>
  rows<{ found: string }>(
    "SELECT code || ' ' || reference AS found FROM findings WHERE closed_at IS NULL ORDER BY 1",
  ).map(({ found }) => found);
const payouts = () => rows('SELECT reference, reported, confirmed, amount_minor, due_at FROM payouts ORDER BY id');

describe('tracking', () => {
  test('makes a record without a status, and makes it due', () => {
    expect(track(expected('P1'))).toMatchObject([{ effect: 'new', before: null, state: 'unmet', findings: [] }]);
    expect(payouts()).toEqual([
      { reference: 'P1', reported: null, confirmed: null, amount_minor: null, due_at: START_MS },
    ]);
    expect(rows('SELECT 1 FROM observations')).toEqual([]);
    expect(rows('SELECT 1 FROM history')).toEqual([]);
  });

  test('again with the same values changes nothing, not even when it is due', () => {
    track(expected('P1'));
    db.database.exec('UPDATE payouts SET due_at = NULL');
    const before = db.database.prepare('SELECT * FROM tracked').all();
    const [again] = log.track({ expected: [expected('P1', { amount: parseAmount('100') })], nowMs: START_MS + 5 });
    expect(again).toMatchObject({ effect: 'same' });
    expect(db.database.prepare('SELECT * FROM tracked').all()).toEqual(before);
    expect(payouts()).toMatchObject([{ due_at: null }]);
  });

  test('with other values replaces them, returns the old ones, and makes the record due', () => {
    track(expected('P1'));
    db.database.exec('UPDATE payouts SET due_at = NULL');
    const other = expected('P1', { amount: parseAmount('90.00'), expectedByMs: START_MS + DAY_MS });
    expect(track(other)).toMatchObject([
      { effect: 'changed', before: { amount: parseAmount('100'), currency: 'NGN', expectedByMs: null } },
    ]);
    expect(rows('SELECT amount_minor, expected_by, review_at FROM tracked')).toEqual([
      { amount_minor: 9_000, expected_by: START_MS + DAY_MS, review_at: START_MS + DAY_MS },
    ]);
    expect(payouts()).toMatchObject([{ due_at: START_MS }]);
  });

  test('the same reference is another record in another kind or environment', () => {
    track(expected('P1'), expected('P1', { environment: 'live' }), expected('P1', { kind: 'refund' }));
    expect(rows('SELECT 1 FROM tracked')).toHaveLength(3);
  });

  test('a settled record is compared at once, and not checked again', () => {
    db.keepAndApply(payout('P1', 'success'));
    db.database.exec("UPDATE payouts SET confirmed = 'success', due_at = NULL");
    expect(track(expected('P1', { amount: parseAmount('99.99') }))).toMatchObject([
      { state: 'unmet', findings: [{ code: 'amount_unexpected', detail: '99.99 NGN expected, 100.00 NGN came' }] },
    ]);
    expect(openFindings()).toEqual(['amount_unexpected P1']);
    expect(payouts()).toMatchObject([{ due_at: null }]);
    track(expected('P1'));
    expect(openFindings()).toEqual([]);
  });

  test('amounts beyond 2^53 stay exact', () => {
    db.keepAndApply(payout('P1', 'success', { data: { amount: '90071992547409.93' } }));
    expect(track(expected('P1', { amount: parseAmount('90071992547409.94') }))[0]?.findings).toHaveLength(1);
    expect(track(expected('P1', { amount: parseAmount('90071992547409.93') }))[0]).toMatchObject({
      state: 'met',
      before: { amount: parseAmount('90071992547409.94') },
    });
  });
});

describe('its date', () => {
  const late = expected('P1', { expectedByMs: START_MS + DAY_MS });

  test('passes: a finding; and a webhook, an answer or a request of ours closes it', () => {
    track(late);
    expect(log.review({ nowMs: START_MS + DAY_MS - 1 })).toEqual({ reviewed: 0, overdue: 0 });
    expect(log.review({ nowMs: START_MS + DAY_MS })).toEqual({ reviewed: 1, overdue: 1 });
    expect(log.review({ nowMs: START_MS + DAY_MS })).toEqual({ reviewed: 0, overdue: 0 });
    expect(openFindings()).toEqual(['never_seen P1']);
    db.keepAndApply(payout('P1', 'pending', {}, { receivedAtMs: START_MS + 2 * DAY_MS }));
    expect(openFindings()).toEqual([]);
  });

  test('has passed already at tracking', () => {
    expect(track(expected('P1', { expectedByMs: START_MS }))).toMatchObject([{ state: 'overdue' }]);
    expect(openFindings()).toEqual(['never_seen P1']);
    track(late);
    expect(openFindings()).toEqual([]);
  });

  test('a bounded number is reviewed in one transaction; fewer mean that none is left', () => {
    const many = Array.from({ length: MOST_REVIEWED + 5 }, (_, index) => ({ ...late, reference: `P${index}` }));
    track(...many);
    const nowMs = START_MS + DAY_MS;
    expect(
      [log.review({ nowMs }), log.review({ nowMs }), log.review({ nowMs })].map(({ reviewed }) => reviewed),
    ).toEqual([MOST_REVIEWED, 5, 0]);
    expect(openFindings()).toHaveLength(MOST_REVIEWED + 5);
  });

  test('a clock that ran ahead has opened it too early: the next check corrects that', () => {
    track(late);
    expect(log.review({ nowMs: START_MS + 9 * DAY_MS })).toMatchObject({ overdue: 1 });
    const confirm = checkWrites(db.database, () => ({ dueAtMs: null, stuck: false }));
    const filter = { kinds: ['payout'], environments: ['test'] } as const;
    const [leased] = confirm.lease({ filter, limit: 1, leaseMs: 60_000, nowMs: START_MS });
    const { counter = 0, recordId = 0 } = leased ?? {};
    const nothing = { outcome: 'not_found', answer: null, detail: null } as const;
    confirm.finish([{ counter, kind: 'payout', recordId, nowMs: START_MS + 1, ...nothing }]);
    expect(openFindings()).toEqual([]);
    expect(log.review({ nowMs: START_MS + DAY_MS })).toMatchObject({ overdue: 1 });
  });
});

describe('the first claim about a tracked record', () => {
  const claim = {
    status: 'success',
    time: null,
    facts: { amount: parseAmount('55.00'), currency: 'USD' },
    details: {},
    unreadable: [],
    contradiction: false,
  };

  test('a webhook', () => {
    track(expected('P1'));
    db.keepAndApply(payout('P1', 'pending', { data: { amount: '99.00' } }));
    expect(openFindings()).toEqual(['amount_unexpected P1']);
  });

  test('an answer of the service', () => {
    track(expected('P1'));
    const confirm = checkWrites(db.database, () => ({ dueAtMs: null, stuck: false }));
    const filter = { kinds: ['payout'], environments: ['test'] } as const;
    const [leased] = confirm.lease({ filter, limit: 1, leaseMs: 60_000, nowMs: START_MS });
    const { counter = 0, recordId = 0 } = leased ?? {};
    const answer = { claim, digest: 'd' };
    confirm.finish([{ counter, kind: 'payout', recordId, nowMs: START_MS, outcome: 'answered', answer, detail: null }]);
    expect(payouts()).toMatchObject([{ confirmed: 'success', amount_minor: 5_500 }]);
    expect(openFindings()).toEqual(['currency_unexpected P1']);
  });

  test('our own request', () => {
    track(expected('P1'));
    const wire = { reference: 'P1', amount: '1.00', currency: 'NGN', status: 'pending' };
    requestWrites(db.database, 'UTC', new FixedClock()).track({
      kind: 'payout',
      environment: 'test',
      reference: 'P1',
      wire,
    });
    expect(openFindings()).toEqual(['amount_unexpected P1']);
  });
});

describe('forgetting', () => {
  test('removes the findings and a record without observations, and a check under way does not bring it back', () => {
    track(expected('P1', { expectedByMs: START_MS }), expected('P1', { environment: 'live' }));
    const confirm = checkWrites(db.database, () => ({ dueAtMs: null, stuck: true }));
    const filter = { kinds: ['payout'], environments: ['test'] } as const;
    const [leased] = confirm.lease({ filter, limit: 1, leaseMs: 60_000, nowMs: START_MS });
    const order = { reference: 'P1', environment: 'test', nowMs: START_MS } as const;
    expect(log.forget(order)).toMatchObject([{ kind: 'payout', environment: 'test', recordRemoved: true }]);
    expect(log.forget(order)).toEqual([]);
    expect(rows('SELECT 1 FROM findings')).toEqual([]);
    const { counter = 0, recordId = 0 } = leased ?? {};
    const nothing = { outcome: 'not_found', answer: null, detail: null } as const;
    const ended = { counter, kind: 'payout', recordId, nowMs: START_MS + 1, ...nothing } as const;
    expect(confirm.finish([ended])).toMatchObject([{ accepted: false }]);
    // The next record may get the same id; it inherits nothing.
    db.keepAndApply(payout('P2', 'success'));
    expect(confirm.finish([ended])).toMatchObject([{ accepted: false }]);
    expect(payouts()).toMatchObject([{ reference: 'P1' }, { reference: 'P2', confirmed: null }]);
    expect(openFindings()).toEqual([]);
  });

  test('leaves a record with an observation', () => {
    db.keepAndApply(payout('P1', 'success'));
    track(expected('P1', { currency: 'USD' }));
    expect(openFindings()).toEqual(['currency_unexpected P1']);
    expect(log.forget({ reference: 'P1', nowMs: START_MS })).toMatchObject([{ recordRemoved: false, currency: 'USD' }]);
    expect(openFindings()).toEqual([]);
    expect(payouts()).toMatchObject([{ reference: 'P1', reported: 'success' }]);
  });
});

test('the list shows each expectation as it stands', async () => {
  db.keepAndApply(payout('P1', 'success'), payout('P2', 'success', { data: { amount: '1.00' } }));
  track(expected('P1'), expected('P2'), expected('P3', { expectedByMs: START_MS }), expected('P4', { kind: 'refund' }));
  const archive = openArchive(db.path, new FixedClock());
  const list = async (filter: object, page: object = {}) =>
    (await archive.expectations(filter, { limit: 10, order: 'oldest', ...page })).map(
      ({ reference, state }) => `${reference} ${state}`,
    );
  expect(await list({})).toEqual(['P1 met', 'P2 unmet', 'P3 overdue', 'P4 unmet']);
  expect(await list({ open: true })).toEqual(['P2 unmet', 'P3 overdue', 'P4 unmet']);
  expect(await list({ kind: 'payout', open: true }, { limit: 1 })).toEqual(['P2 unmet']);
  expect(await list({ reference: 'P3' }, { order: 'newest' })).toEqual(['P3 overdue']);
  expect(await list({ environment: 'live' })).toEqual([]);
  expect(await list({}, { order: 'newest', afterId: 2 })).toEqual(['P1 met']);
  await archive.close();
});
