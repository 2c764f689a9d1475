import type { Environment } from '../../../domain/environment.ts';
import type { Expectation, KnownSoFar } from '../../../domain/expectations/expectation.ts';
import { amountOfMinor } from '../../../domain/money/amount.ts';
import { perKind, type RecordKind } from '../../../domain/records/lifecycle.ts';
import { wordOfService } from '../../../domain/records/witness-money.ts';
import type { Database } from '../engine/database.ts';
import { fromColumns } from './record-columns.ts';

/** Integers are bigint: an amount may need all 64 bits. */
export interface ExpectationRow {
  readonly amount_minor: bigint | null;
  readonly currency: string | null;
  readonly expected_by: bigint | null;
}

/** The record of an expectation; `seen` is 1 when it has an observation. */
export interface ExpectedRecordRow {
  readonly [column: string]: unknown;
  readonly environment: Environment;
  readonly reference: string;
  readonly reported: string | null;
  readonly confirmed: string | null;
  readonly seen: bigint;
}

/** Reads one record by its id. */
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
  return perKind(read);
}

export function expectationFromRow(row: ExpectationRow): Expectation {
  return {
    amount: row.amount_minor === null ? null : amountOfMinor(row.amount_minor),
    currency: row.currency,
    expectedByMs: row.expected_by === null ? null : Number(row.expected_by),
  };
}

export function knownFromRow(kind: RecordKind, row: ExpectedRecordRow): KnownSoFar {
  return { seen: row.seen === 1n, ...wordOfService(fromColumns(kind, row)) };
}
