import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { News } from '../../../../../src/domain/periods/stale.ts';
import type { Archive } from '../../../../../src/store/archive.ts';
import { openStore } from '../../../../../src/store/open.ts';
import type { NewsOrder } from '../../../../../src/store/periods.ts';
import { checked } from '../../../../support/check.ts';
import { START_MS } from '../../../../support/fixed-clock.ts';
import { refund, TestDatabase } from '../../../../support/test-database.ts';

// October was reconciled on 3 November at 08:00: what came later makes its run stale, unless it is of later days.

const RUN_AT = Date.parse('2026-11-03T08:00:00Z');
const LATER = RUN_AT + 1;
const NOVEMBER_MS = Date.parse('2026-10-31T23:00:00Z');
const NONE: News = { records: 0, statements: 0, removed: 0, decisions: 0, payments: 0, closing: null };

const db = new TestDatabase();
let archive: Archive;
beforeAll(async () => {
  const { database } = db;
  database.exec("INSERT INTO matching_rules (digest, name, text) VALUES ('d', 'standard', '')");
  database.exec(`
    INSERT INTO reconciliation_runs (id, from_day, to_day, zone, cut_off_minutes, as_at, what, environment, rules_digest, begun_at,
      finished_at, first_match, first_break, report, carried_out)
    VALUES (1, '2026-10-01', '2026-10-31', 'Africa/Lagos', 1440, ${RUN_AT}, 'all', NULL, 'd', ${RUN_AT}, ${RUN_AT}, 1, 1, '{}', 7)`);
  database.exec("INSERT INTO accounts (id, name, kind, environment) VALUES (1, 'wallet', 'wallet', 'live')");
  database.exec("INSERT INTO statement_profiles (id, name, digest, text, first_used_at) VALUES (1, 'p', 'd', '', 1)");
  archive = await openStore(db.path).archive();
});
beforeEach(() => {
  for (const table of ['collections', 'refunds', 'observations', 'findings', 'imported_statements', 'match_decisions'])
    db.database.exec(`DELETE FROM ${table}`);
});
afterAll(async () => {
  await archive.close();
  db.remove();
});

const newsOf = async (order: NewsOrder) => (await archive.newsSince(order)).news;
const news = (over: { accounts?: readonly string[] } = {}) =>
  newsOf({ run: 1, environment: 'live', accounts: null, beforeMs: NOVEMBER_MS, ...over });

/** A collection that changed then; null times are not stated. */
function collection(over: Record<string, string | number | null>): void {
  const row = {
    ...{ environment: 'live', reference: 'C-1', reported: 'success', paid_at_utc: '2026-10-15T10:00:00.000Z' },
    ...{ created_at_utc: null, due_at: null, pruned_at: null, first_seen_at: RUN_AT - 1, changed_at: LATER },
    ...over,
  };
  const names = Object.keys(row);
  db.database
    .prepare(`INSERT INTO collections (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`)
    .run(row);
}

test.each<[string, Record<string, string | number | null>, number]>([
  ['a record of October that changed', {}, 1],
  ['one that changed at the very time of the run', { changed_at: RUN_AT }, 0],
  ['one that is still being checked', { due_at: LATER }, 1],
  ['one that was first seen after the run', { first_seen_at: LATER }, 1],
  [
    'a record of November',
    { paid_at_utc: '2026-11-02T10:00:00.000Z', created_at_utc: '2026-11-02T09:00:00.000Z', first_seen_at: RUN_AT },
    0,
  ],
  [
    'one that began in October and was paid in November',
    { paid_at_utc: '2026-11-02T10:00:00.000Z', created_at_utc: '2026-10-31T09:00:00.000Z' },
    1,
  ],
  ['a record of the other environment', { environment: 'test' }, 0],
  ['one that the last entry of the run changed', { changed_at: RUN_AT - 1, changed_seq: 7 }, 0],
  ['one that a later entry changed, after the clock was set back', { changed_at: RUN_AT - 1, changed_seq: 8 }, 1],
  ['one that a later entry changed, which also has a later time', { changed_seq: 8 }, 1],
])('%s: %j', async (_, over, records) => {
  collection(over);
  expect(await news()).toEqual({ ...NONE, records });
});

test('of many records no more are looked at than asked for, and then none is counted', async () => {
  collection({ reference: 'C-1' });
  collection({ reference: 'C-2', due_at: LATER });
  collection({ reference: 'C-3', due_at: LATER, changed_at: RUN_AT }); // looked at, and no news
  const order: NewsOrder = { run: 1, environment: 'live', accounts: null, beforeMs: NOVEMBER_MS };
  expect(await newsOf({ ...order, most: 3 })).toEqual({ ...NONE, records: 2 });
  expect(await newsOf({ ...order, most: 2 })).toEqual({ ...NONE, records: null });
});

interface Answered {
  readonly status?: string;
  readonly at: number;
  readonly claim?: string;
}

/** Answers of the service about the collection, in their order. */
function answers(...all: readonly Answered[]): void {
  const insert = db.database.prepare(`
    INSERT INTO observations (kind, record_id, identity, witness, event_key, status, time, answer_counter, answered_at, claim)
    SELECT 'collection', id, 'api:' || @counter, 'api', '', @status, NULL, @counter, @at, @claim FROM collections`);
  for (const [index, { status = 'success', at, claim = '{}' }] of all.entries())
    insert.run({ counter: index + 1, status, at, claim });
}

const CONFIRMED = { confirmed: 'success', confirmed_at: RUN_AT - 2 };
const BEFORE: Answered = { at: RUN_AT - 2 };
const AGAIN: Answered = { at: LATER };

test.each<[string, Record<string, string | number | null>, readonly Answered[], number]>([
  ['an answer that repeats the one before the run', CONFIRMED, [BEFORE, AGAIN, AGAIN], 0],
  ['one of a record that is still being checked', { ...CONFIRMED, due_at: LATER }, [BEFORE, AGAIN], 0],
  ['the first answer', { ...CONFIRMED, confirmed_at: LATER }, [AGAIN], 1],
  ['an answer with another amount', CONFIRMED, [BEFORE, { ...AGAIN, claim: '{"details":{"amount":"1.00"}}' }], 1],
  ['another status, and the former one again', CONFIRMED, [BEFORE, { ...AGAIN, status: 'failed' }, AGAIN], 1],
  [
    'a second answer that differs from a final status, which moves it',
    { confirmed: 'failed', confirmed_at: LATER },
    [{ at: RUN_AT - 3 }, { ...BEFORE, status: 'failed' }, { ...AGAIN, status: 'failed' }],
    1,
  ],
  ['a record that changed without an answer', CONFIRMED, [BEFORE], 1],
])('%s: %j %j', async (_, over, given, records) => {
  collection(over);
  answers(...given);
  expect(await news()).toEqual({ ...NONE, records });
});

test('a repeated answer with which a finding opens or closes, and a webhook beside one, are news', async () => {
  const { database } = db;
  collection(CONFIRMED);
  answers(BEFORE, AGAIN);
  const finding = database.prepare(`
    INSERT INTO findings (kind, record_id, environment, reference, code, subject, detail, opened_at, closed_at)
    SELECT 'collection', id, 'live', reference, 'webhook_vs_api', 'success', '', ?, ? FROM collections`);
  for (const [openedAt, closedAt, records] of [
    [RUN_AT, null, 0],
    [RUN_AT, LATER, 1],
    [LATER, null, 1],
  ] as const) {
    database.exec('DELETE FROM findings');
    finding.run(openedAt, closedAt);
    expect(await news()).toEqual({ ...NONE, records });
  }
  database.exec('DELETE FROM findings');
  database.exec(`
    INSERT INTO observations (kind, record_id, identity, witness, event_key, claim)
    SELECT 'collection', id, 'event 1', 'webhook', 'k', '{}' FROM collections`);
  // What keeps no time of its own counts since the record was first seen.
  database.exec(`UPDATE collections SET first_seen_at = ${LATER}`);
  expect(await news()).toEqual({ ...NONE, records: 1 });
});

test('a check of a settled refund whose answer says the same is no news; one that says more is', async () => {
  const hour = 3_600_000;
  db.keepAndApply(refund('R1', 'success'));
  await checked(db, 'R1', 'success', { nowMs: START_MS + hour });
  db.database.exec(`
    INSERT INTO reconciliation_runs (id, from_day, to_day, zone, cut_off_minutes, as_at, what, environment, rules_digest, begun_at,
      finished_at, first_match, first_break, report)
    SELECT 2, from_day, '2026-11-30', zone, cut_off_minutes, ${START_MS + 2 * hour}, what, environment, rules_digest, begun_at,
      finished_at, first_match, first_break, report FROM reconciliation_runs WHERE id = 1`);
  const since = { run: 2, environment: 'test', accounts: null, beforeMs: START_MS + 10 * 24 * hour } as const;
  await checked(db, 'R1', 'success', { nowMs: START_MS + 3 * hour });
  expect(await newsOf(since)).toEqual(NONE);
  await checked(db, 'R1', 'success', { nowMs: START_MS + 4 * hour, data: { currency: 'KES' } });
  expect(await newsOf(since)).toEqual({ ...NONE, records: 1 });
});

/** A statement of October, imported and removed then. */
function statement(importedAt: number, removedAt: number | null, covers: string): void {
  const state = removedAt === null ? 'imported' : 'removed';
  db.database
    .prepare(`
      INSERT INTO imported_statements (account_id, kind, environment, state, profile_id, file, file_sha256, file_bytes, begun_at,
        imported_at, removed_at, covers_from, covers_to)
      VALUES (1, 'wallet', 'live', ?, 1, 'x.csv', 's', 1, 1, ?, ?, ?, ?)`)
    .run(state, importedAt, removedAt, covers, covers);
}

test.each<[string, [number, number | null, string], Partial<News>]>([
  ['a statement that was imported since', [LATER, null, '2026-10-15'], { statements: 1 }],
  ['one that was there', [RUN_AT, null, '2026-10-15'], {}],
  ['one that was removed since', [1, LATER, '2026-10-15'], { removed: 1 }],
  ['one that was removed before', [1, RUN_AT, '2026-10-15'], {}],
  ['one of November', [LATER, null, '2026-11-02'], {}],
])('%s', async (_, given, expected) => {
  statement(...given);
  expect(await news()).toEqual({ ...NONE, ...expected });
  expect(await news({ accounts: ['bank'] })).toEqual(NONE);
});

test('a decision on a match since', async () => {
  const decide = db.database.prepare(`
    INSERT INTO match_decisions (leg, account_id, date, fingerprint, occurrence, kind, environment, reference, verdict, decided_by, decided_at)
    VALUES ('records-wallet', 1, '2026-10-15', x'00', 1, 'collection', 'live', 'C-1', 'together', 'Ada', ?)`);
  decide.run(RUN_AT);
  expect(await news()).toEqual(NONE);
  decide.run(LATER);
  expect(await news()).toEqual({ ...NONE, decisions: 1 });
});

test('news of records are found by the indexes of due, of unpruned and of carried out records', () => {
  const plans = [
    'r.due_at IS NULL AND r.pruned_at IS NULL AND r.changed_at > 1',
    "r.due_at IS NOT NULL AND r.environment = 'live'",
    'r.changed_seq > 0 AND r.changed_seq > 7 AND r.changed_at <= 1',
  ].map((where) =>
    db.database
      .prepare<[], { detail: string }>(
        `EXPLAIN QUERY PLAN SELECT count(*) FROM collections r WHERE ${where} AND r.reported = 'x'`,
      )
      .all()
      .map(({ detail }) => detail)
      .join('\n'),
  );
  expect(plans[0]).toContain('collections_unpruned');
  expect(plans[1]).toContain('collections_due');
  expect(plans[2]).toContain('collections_carried');
});

test('a closing of an earlier period that was made after the run began is news, one before it and one of later days is not', async () => {
  const { database } = db;
  const closed = (name: string, [from, to]: [string, string], at: number, state = 'closed') => {
    database
      .prepare(
        "INSERT INTO periods (set_name, name, from_day, to_day, environment, accounts, state, closing) VALUES ('live', ?, ?, ?, 'live', '[\"wallet\"]', ?, 2)",
      )
      .run(name, from, to, state);
    database
      .prepare(`
        INSERT INTO period_closings (period_id, closing, run_id, as_at, preparer, closed_at, digest, report)
        SELECT id, 2, 1, ?, 'Ada', ?, 'd', '{}' FROM periods WHERE name = ?`)
      .run(at, at, name);
  };
  closed('2026-08', ['2026-08-01', '2026-08-31'], RUN_AT);
  closed('2026-07', ['2026-07-01', '2026-07-31'], LATER, 'open');
  closed('2026-11', ['2026-11-01', '2026-11-30'], LATER);
  expect(await news()).toEqual(NONE);
  closed('2026-09', ['2026-09-01', '2026-09-30'], LATER);
  expect(await news()).toEqual({ ...NONE, closing: { period: '2026-09', closing: 2 } });
  expect(await news({ accounts: ['bank'] })).toEqual(NONE);
});
