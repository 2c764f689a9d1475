import { amountOfMinor } from '../../../domain/amount.ts';
import type { Outcome } from '../../../domain/check.ts';
import type { RecordKind } from '../../../domain/lifecycle.ts';
import type { Asking, TrackedExpectation } from '../../records.ts';
import type { Database } from '../engine/database.ts';

interface AskingRow {
  asked_at: number;
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

export type AskingArchive = ReturnType<typeof askingArchive>;

/** What is asked about a record, and what is expected of it. The caller holds the snapshot. */
export function askingArchive(database: Database) {
  const askings = database.prepare<[RecordKind, number], AskingRow>(`
    SELECT asked_at, leased_until, attempts, failures, outcome, detail, outcome_at, settled_at, stuck_at
    FROM confirmations WHERE kind = ? AND record_id = ?`);
  const expectations = database
    .prepare<[RecordKind, number], ExpectationRow>(`
      SELECT amount_minor, currency, expected_by, tracked_at FROM tracked WHERE kind = ? AND record_id = ?`)
    .safeIntegers();

  return {
    askingOf(kind: RecordKind, recordId: number): Asking | null {
      const row = askings.get(kind, recordId);
      return row === undefined ? null : askingFromRow(row);
    },

    expectationOf(kind: RecordKind, recordId: number): TrackedExpectation | null {
      const row = expectations.get(kind, recordId);
      return row === undefined ? null : expectationFromRow(row);
    },
  };
}

function askingFromRow(row: AskingRow): Asking {
  return {
    askedAtMs: row.asked_at,
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
