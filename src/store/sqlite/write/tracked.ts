import type { Environment } from '../../../domain/environment.ts';
import { EXPECTED_CODES } from '../../../domain/expectations/expectation.ts';
import { dueByExpectation, trackEffect } from '../../../domain/expectations/expectation-change.ts';
import type { Expected } from '../../../domain/expectations/expectation-input.ts';
import { toMinor } from '../../../domain/money/amount.ts';
import { perKind, RECORD_KINDS, type RecordKind } from '../../../domain/records/lifecycle.ts';
import type { Timed } from '../../../time/clock.ts';
import { type ForgetOrder, type Forgotten, MOST_REVIEWED, type Reviewed, type Tracked } from '../../tracking.ts';
import { type Database, writing } from '../engine/database.ts';
import { type ExpectationRow, expectationFromRow, expectedRecords } from '../rows/expectations.ts';
import type { BooksTime, TimeAt } from './books-time.ts';
import { expectationWrites } from './expectations.ts';
import { findingWrites } from './findings.ts';

interface RecordRow {
  id: number;
  confirmed: string | null;
  dueAtMs: number | null;
}

interface DueRow {
  kind: RecordKind;
  record_id: number;
}

/** Writes what the merchant expects; on disk when a method returns. */
export function trackedWrites(database: Database, timeAt: TimeAt) {
  const expectations = expectationWrites(database);
  const findings = findingWrites(database);
  const reads = expectedRecords(database);
  const tables = perKind((kind) => recordStatements(database, kind));
  const known = database
    .prepare<[RecordKind, number], ExpectationRow>(
      'SELECT amount_minor, currency, expected_by FROM tracked WHERE kind = ? AND record_id = ?',
    )
    .safeIntegers();
  const keep = database.prepare(`
    INSERT INTO tracked (kind, record_id, amount_minor, currency, expected_by, tracked_at)
    VALUES (@kind, @recordId, @amountMinor, @currency, @expectedByMs, @learntMs)
    ON CONFLICT (kind, record_id) DO UPDATE SET
      amount_minor = excluded.amount_minor, currency = excluded.currency, expected_by = excluded.expected_by,
      tracked_at = excluded.tracked_at`);
  const drop = database.prepare<[RecordKind, number]>('DELETE FROM tracked WHERE kind = ? AND record_id = ?');
  const passed = database.prepare<[number, number], DueRow>(
    'SELECT kind, record_id FROM tracked WHERE review_at <= ? ORDER BY review_at LIMIT ?',
  );
  const forgetOf = ['checks', 'findings'].map((table) =>
    database.prepare<[RecordKind, number]>(`DELETE FROM ${table} WHERE kind = ? AND record_id = ?`),
  );

  function trackOne(expected: Expected, time: BooksTime): Tracked {
    const { nowMs, learntMs } = time;
    const { kind, environment, reference, amount, currency, expectedByMs } = expected;
    const table = tables[kind];
    const record = table.find.get(reference, environment) ?? {
      id: Number(table.create.run(environment, reference, learntMs, learntMs).lastInsertRowid),
      confirmed: null,
      dueAtMs: null,
    };
    const row = known.get(kind, record.id);
    const before = row === undefined ? null : expectationFromRow(row);
    const effect = trackEffect(before, expected);
    if (effect !== 'same') {
      const amountMinor = amount === null ? null : toMinor(amount);
      keep.run({ kind, recordId: record.id, amountMinor, currency, expectedByMs, learntMs });
      table.due.run(dueByExpectation(kind, record, nowMs), record.id);
    }
    const reviewed = expectations.review(kind, record.id, time);
    return {
      ...expected,
      effect,
      before,
      state: reviewed?.state ?? 'unmet',
      findings: reviewed?.findings ?? [],
    };
  }

  function forgetOne(
    kind: RecordKind,
    environment: Environment,
    { reference }: ForgetOrder,
    { learntMs }: BooksTime,
  ): Forgotten | null {
    const record = tables[kind].find.get(reference, environment);
    const row = record && known.get(kind, record.id);
    if (record === undefined || row === undefined) return null;
    drop.run(kind, record.id);
    const named = { kind, environment, reference };
    findings.settle({ record: named, recordId: record.id, current: [], nowMs: learntMs, scope: EXPECTED_CODES });
    const recordRemoved = reads[kind].get(record.id)?.seen === 0n;
    // Without observation and expectation it would only be checked until it is stuck.
    if (recordRemoved) {
      for (const each of forgetOf) each.run(kind, record.id);
      tables[kind].remove.run(record.id);
    }
    return { kind, environment, reference, ...expectationFromRow(row), recordRemoved };
  }

  return {
    track: writing(database, ({ expected, nowMs }: { expected: readonly Expected[] } & Timed): Tracked[] => {
      const time = timeAt(nowMs);
      return expected.map((one) => trackOne(one, time));
    }),

    forget: writing(database, (order: ForgetOrder & Timed): Forgotten[] => {
      const time = timeAt(order.nowMs);
      const kinds = order.kind === undefined ? RECORD_KINDS : [order.kind];
      const environments: readonly Environment[] =
        order.environment === undefined ? ['test', 'live'] : [order.environment];
      return kinds
        .flatMap((kind) => environments.map((environment) => forgetOne(kind, environment, order, time)))
        .filter((one) => one !== null);
    }),

    review: writing(database, ({ nowMs }: Timed): Reviewed => {
      const rows = passed.all(nowMs, MOST_REVIEWED);
      const time = timeAt(nowMs);
      const reviews = rows.map(({ kind, record_id: recordId }) => expectations.review(kind, recordId, time));
      return { reviewed: rows.length, overdue: reviews.filter((one) => one?.state === 'overdue').length };
    }),
  };
}

function recordStatements(database: Database, kind: RecordKind) {
  return {
    find: database.prepare<[string, Environment], RecordRow>(
      `SELECT id, confirmed, due_at AS dueAtMs FROM ${kind}s WHERE reference = ? AND environment = ?`,
    ),
    create: database.prepare<[Environment, string, number, number]>(
      `INSERT INTO ${kind}s (environment, reference, first_seen_at, changed_at) VALUES (?, ?, ?, ?)`,
    ),
    due: database.prepare<[number | null, number]>(`UPDATE ${kind}s SET due_at = ? WHERE id = ?`),
    remove: database.prepare<[number]>(`DELETE FROM ${kind}s WHERE id = ?`),
  };
}
