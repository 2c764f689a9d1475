import { hash } from 'node:crypto';
import { RECORD_KINDS } from '../../../domain/records/lifecycle.ts';
import { StoreError } from '../../error.ts';
import type { EventContents, EventSummary, Variant } from '../../events.ts';
import { oneOf } from './one-of.ts';

export type EventBodyRow = EventSummary & KeptBody;
export type VariantRow = Omit<Variant, 'bodyDigest'> & KeptBody;

interface KeptBody {
  readonly body: Buffer;
  readonly digest: Buffer;
}

const RECEPTION_COLUMNS = `key_id AS keyId, merchant_signature AS merchantSignature, sent_at AS sentAt, received_at AS receivedAtMs,
  last_received_at AS lastReceivedAtMs, deliveries`;

/** The columns of an EventSummary, from `events e`. */
export const EVENT_COLUMNS = `
  e.id, e.environment, e.event, e.reference, e.updated_at AS updatedAt, e.kind, e.state, e.quarantine,
  e.status, ${RECEPTION_COLUMNS},
  (SELECT count(*) FROM variants v WHERE v.event_id = e.id) AS variants, e.pruned_at AS prunedAtMs`;

/** The further columns of an EventBodyRow. */
export const BODY_COLUMNS = 'body, body_digest AS digest';

/** The columns of a VariantRow. */
export const VARIANT_COLUMNS = `id, content_digest AS contentDigest, ${BODY_COLUMNS}, pruned_at AS prunedAtMs, ${RECEPTION_COLUMNS}`;

/** A condition whose parameter is NULL is left out. */
export const EVENT_CONDITIONS = `
  (@environment IS NULL OR e.environment = @environment)
  AND ${oneOf('e.kind', 'kinds')}
  AND ${oneOf('e.event', 'events')}
  AND ${oneOf('e.state', 'states')}
  AND (@sinceMs IS NULL OR e.received_at >= @sinceMs)
  AND (@untilMs IS NULL OR e.received_at < @untilMs)
  AND (@statuses IS NULL OR e.status IN (SELECT value FROM json_each(@statuses)))`;

/**
 * The events of @reference, without an index on it: through the observations of its records, and the small index of events
 * without one. CROSS JOIN fixes that order; the planner would otherwise read all
 * observations or all events.
 */
export const EVENTS_OF_REFERENCE = `(${idsOfReference()}) found CROSS JOIN events e ON e.id = found.event_id`;

function idsOfReference(): string {
  const observed = RECORD_KINDS.map(
    (kind) => `
      SELECT o.event_id FROM ${kind}s r CROSS JOIN observations o ON o.kind = '${kind}' AND o.record_id = r.id
      WHERE r.reference = @reference AND o.event_id IS NOT NULL`,
  );
  const others = "SELECT id FROM events WHERE state <> 'observed' AND reference = @reference";
  return [...observed, others].join(' UNION ');
}

/** @throws StoreError `corrupt` when a body is not the one whose digest was kept */
export function contentsOf({ digest, ...row }: EventBodyRow, variants: readonly VariantRow[]): EventContents {
  return {
    ...row,
    body: row.body,
    bodyDigest: checkedDigest(`event ${row.id}`, { ...row, digest }),
    contents: variants.map((variant) => variantOf(variant, row.id)),
  };
}

function variantOf({ digest, ...row }: VariantRow, eventId: number): Variant {
  return { ...row, bodyDigest: checkedDigest(`variant ${row.id} of event ${eventId}`, { ...row, digest }) };
}

/**
 * The kept digest as hex, after comparing it with the body: a damaged row must not pass for what was received. A pruned
 * body is empty and keeps its digest.
 */
function checkedDigest(what: string, { body, digest, prunedAtMs }: KeptBody & Pick<Variant, 'prunedAtMs'>): string {
  const kept = digest.toString('hex');
  if (prunedAtMs === null ? hash('sha256', body, 'hex') === kept : body.length === 0) return kept;
  throw new StoreError('corrupt', `The body of ${what} is not the one that was kept: its sha256 differs.`, {
    hint: 'Stop, keep the files, and restore a backup: tallyhook restore FILE',
  });
}
