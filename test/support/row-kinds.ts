import { randomUUID } from 'node:crypto';
import { nextCheck, STANDARD_CHECK_RULES } from '../../src/domain/checks/next-check.ts';
import type { StatementLine } from '../../src/domain/statements/statement.ts';
import { sampleBody } from '../../src/receive/sample/sample.ts';
import { lineFingerprint } from '../../src/reconcile/file/occurrences.ts';
import type { Delivery } from '../../src/store/inbox.ts';
import { contentObserver } from '../../src/store/sqlite/carry-out/observing.ts';
import { booksTime } from '../../src/store/sqlite/write/books-time.ts';
import { checkWrites } from '../../src/store/sqlite/write/checks.ts';
import { eventWrites } from '../../src/store/sqlite/write/events.ts';
import { runRowWrites } from '../../src/store/sqlite/write/run-rows.ts';
import { statementLineWrites } from '../../src/store/sqlite/write/statement-lines.ts';
import { DAY_MS } from '../../src/time/clock.ts';
import type { Database } from './bulk-database.ts';
import { serviceAnswer } from './service-answer.ts';

/* What a row of each kind needs to be written, by the code that writes it in production. */

export interface RowKind {
  /** Tables that get rows. */
  readonly tables: readonly string[];
  /** Makes what the rows refer to, and returns how to write `count` of them from number `from` on. The caller holds the transaction. */
  prepare(database: Database, rows: number): (from: number, count: number) => void;
}

const START_MS = Date.UTC(2026, 10, 20, 9);
/** Members that bring a body to its usual length of about 700 bytes. */
const EXTRA_MEMBERS =
  '"reason":"Returned by the customer","channel":"card","domain":"test","customer":{"name":"Ada Sample"}';
const STATEMENT = `
  INSERT INTO accounts (id, name, kind, environment) VALUES (1, 'main', 'wallet', 'test');
  INSERT INTO statement_profiles (id, name, digest, text, first_used_at) VALUES (1, 'bench', 'x', 'x', 1);
  INSERT INTO imported_statements (id, account_id, kind, environment, state, profile_id, file, file_sha256, file_bytes, begun_at)
  VALUES (1, 1, 'wallet', 'test', 'imported', 1, 'x.csv', 'x', 1, 1)`;
const RUN = `
  INSERT INTO matching_rules (digest, name, text) VALUES ('x', 'bench', 'x');
  INSERT INTO reconciliation_runs
    (id, from_day, to_day, zone, cut_off_minutes, as_at, what, rules_digest, begun_at, first_match, first_break)
  VALUES (1, '2026-11-01', '2026-11-30', 'UTC', 0, 1, 'all', 'x', 1, 1, 1)`;

export const KINDS = {
  event: {
    tables: ['events', 'refunds', 'observations', 'history', 'arrivals'],
    prepare(database) {
      const carryOut = eventsOf(database);
      return (from, count) => carryOut(Array.from({ length: count }, (_, n) => deliveryOf(from + n)));
    },
  },
  check: {
    tables: ['checks', 'observations', 'history'],
    prepare(database, rows) {
      const deliveries = Array.from({ length: rows }, (_, n) => deliveryOf(n));
      database.transaction(eventsOf(database))(deliveries);
      // The service states of each record what its webhook stated.
      const stated = deliveries.map(({ body }) => JSON.parse(Buffer.from(body).toString()).data);
      const answers = new Map(
        stated.map((data) => [data.refund_reference, serviceAnswer('refund', data.status, data)]),
      );
      const checks = checkWrites(database, booksTime(database), (record) =>
        nextCheck(record, STANDARD_CHECK_RULES, () => 0.5),
      );
      const nowMs = START_MS + DAY_MS;
      return (_from, limit) => {
        const filter = { kinds: ['refund'], environments: ['test'] } as const;
        const leased = checks.lease({ filter, limit, leaseMs: 60_000, nowMs });
        if (leased.length !== limit) throw new Error(`${leased.length} of ${limit} records were due`);
        const answered = { outcome: 'answered', detail: null, nowMs } as const;
        checks.finish(leased.map((one) => ({ ...one, ...answered, answer: answers.get(one.reference) ?? null })));
      };
    },
  },
  line: {
    tables: ['imported_lines'],
    prepare(database) {
      return linesOf(database);
    },
  },
  match: {
    tables: ['kept_matches'],
    prepare(database, rows) {
      linesOf(database)(0, rows);
      database.exec(RUN);
      const { keepMatches } = runRowWrites(database);
      return (from, count) => {
        const matches = Array.from({ length: count }, (_, n) => ({
          ...({ leg: 'collections', kind: 'collection', pass: 'reference', state: 'confirmed' } as const),
          ...{ lineId: from + n + 1, recordId: from + n + 1, reference: referenceOf(from + n) },
        }));
        keepMatches(1, matches);
      };
    },
  },
} as const satisfies Readonly<Record<string, RowKind>>;

/** Carries deliveries out: events and all that follows from them. */
function eventsOf(database: Database): (deliveries: readonly Delivery[]) => void {
  const events = eventWrites(database);
  const observer = contentObserver(database, { zone: 'UTC' });
  return (deliveries) => {
    const contents = events.keep(deliveries).flatMap(({ content }) => content ?? []);
    observer.observe(
      contents.map((content) => ({ ...content, seq: 1 })),
      START_MS,
    );
  };
}

function deliveryOf(n: number): Delivery {
  const body = sampleBody({
    event: 'refund.success',
    environment: 'test',
    reference: `RF-${randomUUID()}`,
    amountMinor: BigInt(10_000 + (n % 90_000)),
    currency: 'USD',
    updatedAt: new Date(START_MS + n).toISOString(),
  });
  const evidence = { keyId: 'test-1', merchantSignature: 'verified', sentAt: null, receivedAtMs: START_MS } as const;
  return { environment: 'test', body: Buffer.from(`${body.slice(0, -2)},${EXTRA_MEMBERS}}}`), ...evidence };
}

/** References have no order, as those of a service. */
const referenceOf = (n: number) =>
  `COL-${((n * 2_654_435_761) % 4_294_967_296).toString(16).toUpperCase().padStart(8, '0')}`;

/** Thirty days of lines, in the order of the days. */
function linesOf(database: Database): (from: number, count: number) => void {
  database.exec(STATEMENT);
  const { keep } = statementLineWrites(database);
  return (from, count) => {
    for (let n = from; n < from + count; n++) keep(1, 1, lineOf(n));
  };
}

function lineOf(n: number): StatementLine {
  const none = { valueDate: null, atMs: null, tax: null, duty: null, sessionId: null, transactionReference: null };
  const said = {
    ...{ ...none, group: null, text: null, counterparty: null },
    ...{
      date: new Date(START_MS + Math.floor(n / 3_000) * DAY_MS).toISOString().slice(0, 10),
      reference: referenceOf(n),
    },
    ...({ type: 'collection', typeText: 'collection', currency: 'NGN' } as const),
    ...{ amount: BigInt(98_500 + n), principal: BigInt(100_000 + n), fee: 1_500n, balance: null },
  };
  return { ...said, row: n + 2, fingerprint: lineFingerprint(said), occurrence: 1 };
}
