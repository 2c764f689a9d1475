import { parseAmount, toMinorOrNull } from '../../../domain/amount.ts';
import type { Environment } from '../../../domain/environment.ts';
import { perKind, type RecordKind } from '../../../domain/lifecycle.ts';
import type { ConfirmedStatus } from '../../checks.ts';
import type { Database } from '../engine/database.ts';

/** Integers are bigint: an amount may need all 64 bits. */
interface StatusRow {
  reference: string;
  confirmed: string | null;
  answered_at: bigint | null;
  claim: string | null;
  expected_minor: bigint | null;
  expected_currency: string | null;
  disputed: bigint;
}

/** The amount to be paid; of a collection the requested one, because `amount` may be gross or net (decision 48). */
const AMOUNT_FACT = { refund: 'amount', payout: 'amount', collection: 'requestedAmount' } as const satisfies Record<
  RecordKind,
  string
>;

/** Reads the confirmed status of one record, its amount, and whether that amount is disputed. */
export function confirmedStatusOf(database: Database) {
  const statements = perKind((kind) => statusStatement(database, kind));

  return (record: { kind: RecordKind; environment: Environment; reference: string }): ConfirmedStatus | null => {
    const row = statements[record.kind].get(record.reference, record.environment);
    return row === undefined ? null : statusFromRow(record.kind, row);
  };
}

function statusStatement(database: Database, kind: RecordKind) {
  const amount = AMOUNT_FACT[kind];
  return database
    .prepare<[string, Environment], StatusRow>(`
      SELECT records.reference, records.confirmed, answers.answered_at, answers.claim,
             tracked.amount_minor AS expected_minor, tracked.currency AS expected_currency,
             EXISTS (SELECT 1 FROM findings
                     WHERE findings.kind = '${kind}' AND findings.record_id = records.id AND closed_at IS NULL
                       AND (code IN ('amount_unexpected', 'currency_unexpected')
                            OR code = 'fact_conflict' AND subject IN ('${amount}', 'currency'))) AS disputed
      FROM ${kind}s AS records
      LEFT JOIN tracked ON tracked.kind = '${kind}' AND tracked.record_id = records.id
      LEFT JOIN observations AS answers
        ON answers.kind = '${kind}' AND answers.record_id = records.id AND answers.witness = 'api'
      WHERE records.reference = ? AND records.environment = ?
      ORDER BY answers.answer_counter DESC LIMIT 1`)
    .safeIntegers();
}

function statusFromRow(kind: RecordKind, row: StatusRow): ConfirmedStatus {
  const { facts = {} } = row.claim === null ? {} : JSON.parse(row.claim);
  const amount: string | null = facts[AMOUNT_FACT[kind]] ?? null;
  const currency: string | null = facts.currency ?? null;
  const minor = amount === null ? null : toMinorOrNull(parseAmount(amount));
  const otherAmount = minor !== null && row.expected_minor !== null && minor !== row.expected_minor;
  const otherCurrency = currency !== null && row.expected_currency !== null && currency !== row.expected_currency;
  return {
    reference: row.reference,
    status: row.confirmed,
    answeredAtMs: row.answered_at === null ? null : Number(row.answered_at),
    amount,
    currency,
    disputed: row.disputed === 1n || otherAmount || otherCurrency,
  };
}
