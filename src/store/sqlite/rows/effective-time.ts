import type { RecordKind } from '../../../domain/lifecycle.ts';

/** The service's own time of the outcome. */
const OUTCOME_TIME = {
  refund: 'completed_at_utc',
  payout: 'paid_at_utc',
  collection: 'paid_at_utc',
} as const satisfies Record<RecordKind, string>;

/**
 * An expression for the effective time of record `r`, in milliseconds (`effectiveAtMs`). No column and no index holds it: each
 * would cost at every ingest, and a list computes it for 200,000 records in 0.1 s. Fractions of a second are cut off, as
 * rounding could move a record into the next day.
 */
export function effectiveTime(kind: RecordKind): string {
  const stated = `coalesce(r.${OUTCOME_TIME[kind]}, r.updated_at_utc)`;
  // The first time, because a later confirmation must not move a record into another month.
  const learnt = `(SELECT min(h.at) FROM history h
    WHERE h.kind = '${kind}' AND h.record_id = r.id AND h.to_status = coalesce(r.confirmed, r.reported))`;
  return `coalesce(unixepoch(substr(${stated}, 1, 19)) * 1000, ${learnt}, r.first_seen_at)`;
}
