import type { Environment } from '../../../domain/environment.ts';
import { type Expected, type StatedAmount, statedAmount } from '../../../domain/expectations/stated-amount.ts';
import { isAmountDisputed } from '../../../domain/findings/amount-dispute.ts';
import { amountOfMinor, formatAmount } from '../../../domain/money/amount.ts';
import { perKind, type RecordKind } from '../../../domain/records/lifecycle.ts';
import type { Timed } from '../../../time/clock.ts';
import type { ConfirmedStatus } from '../../checks.ts';
import type { Database } from '../engine/database.ts';
import { statedFromText } from '../rows/observations.ts';

/** Integers are bigint: an amount may need all 64 bits. */
interface StatusRow {
  reference: string;
  confirmed: string | null;
  answered_at: bigint | null;
  claim: string | null;
  /** Null: the record is not tracked. */
  tracked_at: bigint | null;
  amount_minor: bigint | null;
  currency: string | null;
  /** The observation of our own request; null without one. */
  request_claim: string | null;
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
             tracked.tracked_at, tracked.amount_minor, tracked.currency,
             (SELECT claim FROM observations AS requests
              WHERE requests.kind = '${kind}' AND requests.record_id = records.id AND requests.witness = 'request'
              ORDER BY requests.identity LIMIT 1) AS request_claim,
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
  const expected = expectedFromRow(kind, row);
  const stated = row.claim === null ? null : statedFromText(kind, row.claim);
  const { amount, currency, complete } =
    stated === null ? NOT_ANSWERED : statedAmount(kind, stated, expected ?? NOTHING_EXPECTED);
  const openFindings = JSON.parse(row.open_findings);
  const disputed = isAmountDisputed({ kind, amount, currency, expected: expected ?? NOTHING_EXPECTED, openFindings });
  return {
    reference: row.reference,
    status: row.confirmed,
    answerAgeMs: row.answered_at === null ? null : nowMs - Number(row.answered_at),
    amount: amount === null ? null : formatAmount(amount),
    currency,
    disputed: disputed || (expected !== null && stated !== null && !complete),
  };
}

const NOTHING_EXPECTED: Expected = { amount: null, currency: null };
const NOT_ANSWERED: StatedAmount = { amount: null, currency: null, complete: false };

/** What the merchant tracks, else what we requested ourselves; null when neither says anything. */
function expectedFromRow(kind: RecordKind, row: StatusRow): Expected | null {
  const requested = row.request_claim === null ? null : statedFromText(kind, row.request_claim);
  if (row.tracked_at === null && requested === null) return null;
  const { amount, currency } = requested === null ? NOTHING_EXPECTED : statedAmount(kind, requested, NOTHING_EXPECTED);
  return {
    amount: row.amount_minor === null ? amount : amountOfMinor(row.amount_minor),
    currency: row.currency ?? currency,
  };
}
