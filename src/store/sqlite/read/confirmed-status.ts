import { amountOfMinor, parseAmount } from '../../../domain/amount.ts';
import { isAmountDisputed } from '../../../domain/amount-dispute.ts';
import type { Environment } from '../../../domain/environment.ts';
import { AMOUNT_FACT } from '../../../domain/expectation.ts';
import { perKind, type RecordKind } from '../../../domain/lifecycle.ts';
import type { Timed } from '../../../time/clock.ts';
import type { ConfirmedStatus } from '../../checks.ts';
import type { Database } from '../engine/database.ts';

/** Integers are bigint: an amount may need all 64 bits. */
interface StatusRow {
  reference: string;
  confirmed: string | null;
  answered_at: bigint | null;
  claim: string | null;
  amount_minor: bigint | null;
  currency: string | null;
  open_findings: string;
}

export interface StatusOrder extends Timed {
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly reference: string;
}

/** Reads the confirmed status of one record, its amount, and whether that amount is disputed. */
export function confirmedStatusOf(database: Database) {
  const statements = perKind((kind) => statusStatement(database, kind));

  return ({ kind, environment, reference, nowMs }: StatusOrder): ConfirmedStatus | null => {
    const row = statements[kind].get(reference, environment);
    return row === undefined ? null : statusFromRow(kind, row, nowMs);
  };
}

function statusStatement(database: Database, kind: RecordKind) {
  return database
    .prepare<[string, Environment], StatusRow>(`
      SELECT records.reference, records.confirmed, answers.answered_at, answers.claim,
             tracked.amount_minor, tracked.currency,
             (SELECT json_group_array(json_object('code', code, 'subject', subject)) FROM findings
              WHERE findings.kind = '${kind}' AND findings.record_id = records.id AND closed_at IS NULL) AS open_findings
      FROM ${kind}s AS records
      LEFT JOIN tracked ON tracked.kind = '${kind}' AND tracked.record_id = records.id
      LEFT JOIN observations AS answers
        ON answers.kind = '${kind}' AND answers.record_id = records.id AND answers.witness = 'api'
      WHERE records.reference = ? AND records.environment = ?
      ORDER BY answers.answer_counter DESC LIMIT 1`)
    .safeIntegers();
}

function statusFromRow(kind: RecordKind, row: StatusRow, nowMs: number): ConfirmedStatus {
  const { facts = {} } = row.claim === null ? {} : JSON.parse(row.claim);
  const text: string | null = facts[AMOUNT_FACT[kind]] ?? null;
  const currency: string | null = facts.currency ?? null;
  const amount = text === null ? null : parseAmount(text);
  const expected = {
    amount: row.amount_minor === null ? null : amountOfMinor(row.amount_minor),
    currency: row.currency,
  };
  const openFindings = JSON.parse(row.open_findings);
  return {
    reference: row.reference,
    status: row.confirmed,
    answerAgeMs: row.answered_at === null ? null : nowMs - Number(row.answered_at),
    amount: text,
    currency,
    disputed: isAmountDisputed({ kind, amount, currency, expected, openFindings }),
  };
}
