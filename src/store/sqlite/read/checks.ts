import type { RecordKind } from '../../../domain/records/lifecycle.ts';
import type { CheckState, TrackedExpectation } from '../../records.ts';
import type { Database } from '../engine/database.ts';
import { type ExpectationRow, expectationFromRow } from '../rows/expectations.ts';

interface TrackedRow extends ExpectationRow {
  readonly tracked_at: bigint;
}

export type CheckReads = ReturnType<typeof checkReads>;

/** The state of a record's checks, and its expectation. The caller holds the snapshot. */
export function checkReads(database: Database) {
  const checks = database.prepare<[RecordKind, number], CheckState>(`
    SELECT started_at AS startedAtMs, leased_until AS leasedUntilMs, attempts, failures, outcome, detail,
           outcome_at AS outcomeAtMs, settled_at AS settledAtMs, stuck_at AS stuckAtMs
    FROM checks WHERE kind = ? AND record_id = ?`);
  const expectations = database
    .prepare<[RecordKind, number], TrackedRow>(`
      SELECT amount_minor, currency, expected_by, tracked_at FROM tracked WHERE kind = ? AND record_id = ?`)
    .safeIntegers();

  return {
    checkOf: (kind: RecordKind, recordId: number): CheckState | null => checks.get(kind, recordId) ?? null,

    expectationOf(kind: RecordKind, recordId: number): TrackedExpectation | null {
      const row = expectations.get(kind, recordId);
      return row === undefined ? null : { ...expectationFromRow(row), trackedAtMs: Number(row.tracked_at) };
    },
  };
}
