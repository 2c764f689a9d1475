import { amountOfMinor } from '../../../domain/amount.ts';
import type { Outcome } from '../../../domain/check.ts';
import type { RecordKind } from '../../../domain/lifecycle.ts';
import type { CheckState, TrackedExpectation } from '../../records.ts';
import type { Database } from '../engine/database.ts';

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

/** Integers are bigint: the amount may need all 64 bits. */
interface ExpectationRow {
  amount_minor: bigint | null;
  currency: string | null;
  expected_by: bigint | null;
  tracked_at: bigint;
}

export type CheckReads = ReturnType<typeof checkReads>;

/** The state of a record's checks, and its expectation. The caller holds the snapshot. */
export function checkReads(database: Database) {
  const checks = database.prepare<[RecordKind, number], CheckRow>(`
    SELECT started_at, leased_until, attempts, failures, outcome, detail, outcome_at, settled_at, stuck_at
    FROM checks WHERE kind = ? AND record_id = ?`);
  const expectations = database
    .prepare<[RecordKind, number], ExpectationRow>(`
      SELECT amount_minor, currency, expected_by, tracked_at FROM tracked WHERE kind = ? AND record_id = ?`)
    .safeIntegers();

  return {
    checkOf(kind: RecordKind, recordId: number): CheckState | null {
      const row = checks.get(kind, recordId);
      return row === undefined ? null : checkFromRow(row);
    },

    expectationOf(kind: RecordKind, recordId: number): TrackedExpectation | null {
      const row = expectations.get(kind, recordId);
      return row === undefined ? null : expectationFromRow(row);
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

function expectationFromRow({ amount_minor, currency, expected_by, tracked_at }: ExpectationRow): TrackedExpectation {
  return {
    amount: amount_minor === null ? null : amountOfMinor(amount_minor),
    currency,
    expectedByMs: expected_by === null ? null : Number(expected_by),
    trackedAtMs: Number(tracked_at),
  };
}
