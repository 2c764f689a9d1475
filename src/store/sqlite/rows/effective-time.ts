import { OUTCOME_TIME } from '../../../domain/records/effective-time.ts';
import type { RecordKind } from '../../../domain/records/lifecycle.ts';
import { snakeCase } from './snake-case.ts';

/**
 * An expression for the effective time of record `r`, in milliseconds (`effectiveAtMs`). No column and no index holds it: each
 * would cost at every ingest, and a list computes it for 200,000 records in 0.1 s. Fractions of a second are cut off, as
 * rounding could move a record into the next day.
 */
export function effectiveTime(kind: RecordKind): string {
  return `coalesce(unixepoch(substr(${statedTime(kind)}, 1, 19)) * 1000, ${learntTime(kind)}, r.first_seen_at)`;
}

/** The same as text in UTC, `2026-10-14T09:30:00`: cheaper to compare, for reads of every record. */
export function effectiveText(kind: RecordKind): string {
  const learnt = `coalesce(${learntTime(kind)}, r.first_seen_at)`;
  return `coalesce(substr(${statedTime(kind)}, 1, 19), strftime('%Y-%m-%dT%H:%M:%S', ${learnt} / 1000, 'unixepoch'))`;
}

/** A time as `effectiveText` gives it. */
export function secondsText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}

function statedTime(kind: RecordKind): string {
  return `coalesce(r.${snakeCase(OUTCOME_TIME[kind])}_utc, r.updated_at_utc)`;
}

/** The first time, because a later confirmation must not move a record into another month. */
function learntTime(kind: RecordKind): string {
  return `(SELECT min(h.at) FROM history h
    WHERE h.kind = '${kind}' AND h.record_id = r.id AND h.to_status = coalesce(r.confirmed, r.reported))`;
}
