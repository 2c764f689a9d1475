import type { FindingCode } from '../../../../domain/findings/finding.ts';
import { LIFECYCLES, type RecordKind } from '../../../../domain/records/lifecycle.ts';
import { MONEY_FIELDS } from '../../../../domain/records/witness-money.ts';
import type { ReconciledPeriod } from '../../../reconciliation.ts';
import { effectiveText, secondsText } from '../../rows/effective-time.ts';
import { snakeCase } from '../../rows/snake-case.ts';

// Conditions on a record `r` that several reads share.

/** Most ids read by one statement: no statement may hold an old state of the database for long. */
export const WINDOW = 20_000;

export interface PeriodParameters {
  readonly environment: string | null;
  readonly from: string;
  /** The last second of the period. */
  readonly until: string;
  readonly asAtMs: number;
}

export function periodParameters({ environment, fromMs, beforeMs, asAtMs }: ReconciledPeriod): PeriodParameters {
  return { environment: environment ?? null, from: secondsText(fromMs), until: secondsText(beforeMs - 1), asAtMs };
}

export function inPeriod(kind: RecordKind): string {
  return `${effectiveText(kind)} BETWEEN @from AND @until`;
}

export const OF_ENVIRONMENT = '(@environment IS NULL OR r.environment = @environment)';

/** Whether a status is settled; never NULL. */
export function isSettled(kind: RecordKind, status: string): string {
  const settled = LIFECYCLES[kind].settled.map((one) => `'${one}'`).join(', ');
  return `coalesce(${status} IN (${settled}), 0)`;
}

/** Both witnesses have a status, and not the same one; success and completed are the same. */
export const STATUSES_DIFFER = `(r.reported <> r.confirmed
  AND NOT (r.reported IN ('success', 'completed') AND r.confirmed IN ('success', 'completed')))`;

/** Both witnesses give a field of money, and not the same value. */
export function moneyDiffers(kind: RecordKind): string {
  const columns = MONEY_FIELDS[kind].map((field) => `${snakeCase(field)}${suffixOf(field)}`);
  return `(${columns.map((one) => `r.reported_${one} <> r.confirmed_${one}`).join(' OR ')})`;
}

/** Amounts in minor units; fees, which may have more decimals, as exact text, of which each value has one. */
function suffixOf(field: string): string {
  if (field === 'currency') return '';
  return field === 'amount' || field === 'requestedAmount' ? '_minor' : '_exact';
}

/** A finding of record `r`, of this code where one is given, was open at @asAtMs. */
export function hasFinding(kind: RecordKind, code?: FindingCode): string {
  return `EXISTS (SELECT 1 FROM findings f WHERE f.kind = '${kind}' AND f.record_id = r.id
    ${code === undefined ? '' : `AND f.code = '${code}'`} AND f.opened_at <= @asAtMs AND (f.closed_at IS NULL OR f.closed_at > @asAtMs))`;
}

/** When observation `o` of record `r` became known; of one from before the first run the time of its source, else since the record was first seen. */
export const LEARNT_AT = `coalesce(o.learnt_at, o.answered_at,
  CASE WHEN o.identity GLOB 'variant *' THEN (SELECT v.received_at FROM variants v WHERE v.id = CAST(substr(o.identity, 9) AS INTEGER))
       WHEN o.event_id IS NOT NULL THEN (SELECT e.received_at FROM events e WHERE e.id = o.event_id) END,
  r.first_seen_at)`;

/** The service's own time at which record `r` began, as text; NULL when no observation has a time. */
export const STARTED = { refund: 'requested_at_utc', payout: 'created_at_utc', collection: 'created_at_utc' } as const;

export function startedText(kind: RecordKind): string {
  return `coalesce(r.${STARTED[kind]}, r.updated_at_utc, r.reported_time)`;
}

/** Record `r` changed after @asAtMs, and something was known of it by then: it must be looked at as it was. */
export function changedLater(kind: RecordKind): string {
  return `(r.changed_at > @asAtMs AND EXISTS (SELECT 1 FROM observations o
    WHERE o.kind = '${kind}' AND o.record_id = r.id AND ${LEARNT_AT} <= @asAtMs))`;
}

/** Record `r` began by the end of the period; one that changed later may have begun at another time than it says now. */
export function hasStarted(kind: RecordKind): string {
  const started = `coalesce(substr(${startedText(kind)}, 1, 19), strftime('%Y-%m-%dT%H:%M:%S', r.first_seen_at / 1000, 'unixepoch'))`;
  return `(r.changed_at > @asAtMs OR ${started} <= @until)`;
}
