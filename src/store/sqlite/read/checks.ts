import type { Outcome } from '../../../domain/check.ts';
import type { RecordKind } from '../../../domain/lifecycle.ts';
import type { CheckState, TrackedExpectation } from '../../records.ts';
import type { Database } from '../engine/database.ts';
import { type ExpectationRow, expectationFromRow } from '../rows/expectations.ts';

interface CheckRow {
  started_at: number;
  leased_until: number | null;
  attempts: number;
  failures: number;
  outcome: Outcome | null;
  detail: string | null;
  outcome_at: number | null;
  settled_at: number | null;
  stuck_at: number | null;
}

interface TrackedRow extends ExpectationRow {
  readonly tracked_at: bigint;
}

export type CheckReads = ReturnType<typeof checkReads>;

/** The state of a record's checks, and its expectation. The caller holds the snapshot. */
export function checkReads(database: Database) {
  const checks = database.prepare<[RecordKind, number], CheckRow>(`
    SELECT started_at, leased_until, attempts, failures, outcome, detail, outcome_at, settled_at, stuck_at
    FROM checks WHERE kind = ? AND record_id = ?`);
  const expectations = database
    .prepare<[RecordKind, number], TrackedRow>(`
      SELECT amount_minor, currency, expected_by, tracked_at FROM tracked WHERE kind = ? AND record_id = ?`)
    .safeIntegers();

  return {
    checkOf(kind: RecordKind, recordId: number): CheckState | null {
      const row = checks.get(kind, recordId);
      return row === undefined ? null : checkFromRow(row);
    },

    expectationOf(kind: RecordKind, recordId: number): TrackedExpectation | null {
      const row = expectations.get(kind, recordId);
      return row === undefined ? null : { ...expectationFromRow(row), trackedAtMs: Number(row.tracked_at) };
    },
  };
}

function checkFromRow(row: CheckRow): CheckState {
  return {
    startedAtMs: row.started_at,
    leasedUntilMs: row.leased_until,
    attempts: row.attempts,
    failures: row.failures,
    outcome: row.outcome,
    detail: row.detail,
    outcomeAtMs: row.outcome_at,
    settledAtMs: row.settled_at,
    stuckAtMs: row.stuck_at,
  };
}
