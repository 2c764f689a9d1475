import { amountOfMinor } from '../../../domain/amount.ts';
import type { Environment } from '../../../domain/environment.ts';
import { EXPECTED_CODES, type Expectation, type KnownSoFar, type Review, review } from '../../../domain/expectation.ts';
import type { RecordKind } from '../../../domain/lifecycle.ts';
import type { Database } from '../engine/database.ts';
import { fromColumns } from '../rows/record-columns.ts';
import { findingWrites } from './findings.ts';

/** Integers are bigint: money may need all 64 bits. */
export interface ExpectationRow {
  readonly amount_minor: bigint | null;
  readonly currency: string | null;
  readonly expected_by: bigint | null;
}

/** The record of an expectation, as far as it matters here. */
export interface ExpectedRecordRow {
  readonly [column: string]: unknown;
  readonly environment: Environment;
  readonly reference: string;
  readonly reported: string | null;
  readonly confirmed: string | null;
  readonly seen: bigint;
}

/**
 * Holds expectations against their records, and keeps what that finds. The caller holds the transaction in which the
 * record moved.
 */
export function expectationWrites(database: Database) {
  const findings = findingWrites(database);
  const expectationOf = database
    .prepare<[RecordKind, number], ExpectationRow>(
      'SELECT amount_minor, currency, expected_by FROM tracked WHERE kind = ? AND record_id = ?',
    )
    .safeIntegers();
  const reviewAt = database.prepare<[number | null, RecordKind, number, number | null]>(
    'UPDATE tracked SET review_at = ? WHERE kind = ? AND record_id = ? AND review_at IS NOT ?',
  );
  const records = expectedRecords(database);

  return {
    /** Null when nothing is expected of the record: the commonest case by far, and one look-up. */
    review(kind: RecordKind, recordId: number, nowMs: number): Review | null {
      const row = expectationOf.get(kind, recordId);
      const record = row && records[kind].get(recordId);
      if (row === undefined || record === undefined) return null;
      const reviewed = review(kind, expectationFromRow(row), knownFromRow(kind, record), nowMs);
      findings.settle({ ...record, kind }, recordId, reviewed.findings, nowMs, EXPECTED_CODES);
      reviewAt.run(reviewed.reviewAtMs, kind, recordId, reviewed.reviewAtMs);
      return reviewed;
    },
  };
}

/** One record by its id, and whether anybody has said anything about it. */
export interface RecordRead {
  get(recordId: number): ExpectedRecordRow | undefined;
}

export function expectedRecords(database: Database): Record<RecordKind, RecordRead> {
  const read = (kind: RecordKind): RecordRead =>
    database
      .prepare<[number], ExpectedRecordRow>(`
        SELECT *, EXISTS (SELECT 1 FROM observations WHERE kind = '${kind}' AND record_id = ${kind}s.id) AS seen
        FROM ${kind}s WHERE id = ?`)
      .safeIntegers();
  return { refund: read('refund'), payout: read('payout'), collection: read('collection') };
}

export function expectationFromRow(row: ExpectationRow): Expectation {
  return {
    amount: row.amount_minor === null ? null : amountOfMinor(row.amount_minor),
    currency: row.currency,
    expectedByMs: row.expected_by === null ? null : Number(row.expected_by),
  };
}

export function knownFromRow(kind: RecordKind, row: ExpectedRecordRow): KnownSoFar {
  return { seen: row.seen === 1n, ...fromColumns(kind, row) };
}
