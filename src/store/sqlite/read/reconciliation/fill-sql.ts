import { OUTCOME_TIME } from '../../../../domain/records/effective-time.ts';
import type { RecordKind } from '../../../../domain/records/lifecycle.ts';
import { effectiveText } from '../../rows/effective-time.ts';
import { snakeCase } from '../../rows/snake-case.ts';
import { OF_ENVIRONMENT, startedText } from './fragments.ts';

// The statements that copy records and lines into a scratch database, which has this one attached as `store`.

/** The service's word, else what all observations agree on, else what the webhooks of the same status say (decision 102). */
function said(column: string, orReported = false): string {
  const reported = `CASE WHEN r.confirmed IS NULL OR r.confirmed = r.reported THEN r.reported_${column} END`;
  return `coalesce(r.confirmed_${column}, r.${column}${orReported ? `, ${reported}` : ''})`;
}

const NONE = 'NULL';

interface Columns {
  readonly amount: string;
  readonly requested: string;
  readonly fees: string;
  readonly duty: string;
  readonly reserved: string;
  readonly channel: string;
  readonly sessionId: string;
  readonly transactionReference: string;
}

const COLUMNS: Readonly<Record<RecordKind, Columns>> = {
  refund: {
    amount: said('amount_minor', true),
    requested: NONE,
    fees: said('fee_minor', true),
    duty: NONE,
    reserved: 'r.total_reserved_minor',
    channel: NONE,
    sessionId: NONE,
    transactionReference: 'r.transaction_reference',
  },
  payout: {
    amount: said('amount_minor', true),
    requested: NONE,
    fees: said('fee_minor', true),
    duty: said('stamp_duty_minor', true),
    reserved: NONE,
    channel: NONE,
    sessionId: 'r.session_id',
    transactionReference: NONE,
  },
  collection: {
    amount: `coalesce(r.confirmed_amount_minor, r.amount_minor, ${said('requested_amount_minor', true)})`,
    requested: said('requested_amount_minor', true),
    fees: said('fees_minor', true),
    duty: NONE,
    reserved: NONE,
    channel: 'r.channel',
    sessionId: NONE,
    transactionReference: NONE,
  },
};

/** Copies records of a window of ids and of the period, or (`window: false`) those that a page of `wanted` names. */
export function recordInsert(kind: RecordKind, { window }: { readonly window: boolean }): string {
  const { amount, requested, fees, duty, reserved, channel, sessionId, transactionReference } = COLUMNS[kind];
  const [effective, firstSeen] = [
    effectiveText(kind),
    "strftime('%Y-%m-%dT%H:%M:%S', r.first_seen_at / 1000, 'unixepoch')",
  ];
  const started = `coalesce(substr(${startedText(kind)}, 1, 19), ${firstSeen})`;
  const isLearnt = `coalesce(r.${snakeCase(OUTCOME_TIME[kind])}_utc, r.updated_at_utc) IS NULL`;
  const inPeriod =
    kind === 'refund'
      ? `(${effective} BETWEEN @from AND @until OR ${started} BETWEEN @from AND @until)`
      : `${effective} BETWEEN @from AND @until`;
  const where = window
    ? `r.id BETWEEN @first AND @last AND (r.changed_at > @asAtMs OR r.changed_at > @closedAtMs OR ${inPeriod})`
    : NAMED[kind];
  return `
    INSERT OR IGNORE INTO ours (kind, environment, currency, reference, status, record_id, amount, requested, fees, duty, reserved,
      channel, start_day, day, is_day_learnt, session_id, transaction_reference, changed_later, changed_since)
    SELECT '${kind}', r.environment, coalesce(r.confirmed_currency, r.currency), r.reference, coalesce(r.confirmed, r.reported), r.id,
      ${amount}, ${requested}, ${fees}, ${duty}, ${reserved}, ${channel}, day_of(${started}), day_of(${effective}),
      ${isLearnt}, ${sessionId}, ${transactionReference}, r.changed_at > @asAtMs, coalesce(r.changed_at > @closedAtMs, 0)
    FROM store.${kind}s r
    WHERE ${where} AND ${OF_ENVIRONMENT} AND r.first_seen_at <= @asAtMs
      AND (r.reported IS NOT NULL OR r.confirmed IS NOT NULL
           OR EXISTS (SELECT 1 FROM observations o WHERE o.kind = '${kind}' AND o.record_id = r.id))`;
}

const WANTED = 'SELECT name FROM wanted WHERE id BETWEEN @first AND @last';
const NAMED: Readonly<Record<RecordKind, string>> = {
  collection: `r.reference IN (${WANTED})`,
  payout: `(r.reference IN (${WANTED}) OR r.session_id IN (${WANTED}))`,
  refund: `(r.reference IN (${WANTED}) OR r.transaction_reference IN (${WANTED}))`,
};

/** The day of a line: that of its instant where the file says one, as for records, else its date. */
const DAY_OF_LINE = 'CASE WHEN l.happened_at IS NULL THEN l.date ELSE day_of_ms(l.happened_at) END';

/** The same for the lines of one date `@day`, most of which are of this day: it begins with `@startMs`, and ends before `@endMs`. */
export const DAY_WITHIN = `CASE WHEN l.happened_at IS NULL OR (l.happened_at >= @startMs AND l.happened_at < @endMs) THEN l.date
  ELSE day_of_ms(l.happened_at) END`;

/** Copies lines for which the condition on `l` holds, with their place in the legs. */
export function linesInsert(condition: string, day = DAY_OF_LINE): string {
  return `
    INSERT OR IGNORE INTO theirs (id, account, environment, type, type_text, currency, printed, date, amount, principal, fee, tax, duty,
      reference, session_id, transaction_reference, group_name, statement, row, fingerprint, occurrence, leg, kind)
    SELECT l.id, l.account_name, l.environment, l.type, l.type_text, l.currency, l.date, ${day}, l.amount_minor, l.principal_minor,
      l.fee_minor, l.tax_minor, l.duty_minor, l.reference, l.session_id, l.transaction_reference, l.group_name, l.statement_id, l.row,
      l.fingerprint, l.occurrence,
      CASE WHEN r.kind IS NOT NULL OR coalesce(l.reference, l.session_id, l.transaction_reference) IS NOT NULL THEN r.leg END, r.kind
    FROM store.statement_lines l
      LEFT JOIN roles r ON r.statement = l.kind AND r.type = l.type AND r.environment = l.environment AND r.currency = l.currency
    WHERE ${condition}
      AND (SELECT s.imported_at FROM store.imported_statements s WHERE s.id = l.statement_id) <= @asAtMs`;
}
