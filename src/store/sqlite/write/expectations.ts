import { EXPECTED_CODES, type Review, review } from '../../../domain/expectations/expectation.ts';
import type { RecordKind } from '../../../domain/records/lifecycle.ts';
import type { Database } from '../engine/database.ts';
import { type ExpectationRow, expectationFromRow, expectedRecords, knownFromRow } from '../rows/expectations.ts';
import type { BooksTime } from './books-time.ts';
import { findingWrites } from './findings.ts';

/**
 * Compares expectations with their records and writes the findings. The caller holds the transaction in which the record
 * moved.
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
    /** Null when the record is not tracked: the most frequent case, one look-up. */
    review(kind: RecordKind, recordId: number, { nowMs, learntMs }: BooksTime): Review | null {
      const row = expectationOf.get(kind, recordId);
      const record = row && records[kind].get(recordId);
      if (row === undefined || record === undefined) return null;
      const expected = expectationFromRow(row);
      const reviewed = review({ kind, expected, known: knownFromRow(kind, record), nowMs });
      const { findings: current } = reviewed;
      findings.settle({ record: { ...record, kind }, recordId, current, nowMs: learntMs, scope: EXPECTED_CODES });
      reviewAt.run(reviewed.reviewAtMs, kind, recordId, reviewed.reviewAtMs);
      return reviewed;
    },
  };
}
