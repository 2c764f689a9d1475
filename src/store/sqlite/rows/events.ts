import { hash } from 'node:crypto';
import type { Environment } from '../../../domain/environment.ts';
import type { EventKind, EventState, QuarantineReason } from '../../../domain/event.ts';
import { RECORD_KINDS } from '../../../domain/lifecycle.ts';
import { StoreError } from '../../error.ts';
import type { EventContents, EventSummary, Reception, Variant } from '../../events.ts';
import type { MerchantSignature } from '../../inbox.ts';

/** The columns that `events` and `variants` share. */
interface ReceptionRow {
  key_id: string;
  merchant_signature: MerchantSignature;
  sent_at: string | null;
  received_at: number;
  last_received_at: number;
  deliveries: number;
}

export interface EventRow extends ReceptionRow {
  id: number;
  environment: Environment;
  event: string;
  reference: string;
  updated_at: string;
  kind: EventKind;
  state: EventState;
  quarantine: QuarantineReason | null;
  variants: number;
  pruned_at: number | null;
  status: string | null;
  applied: 0 | 1;
}

export interface EventBodyRow extends EventRow {
  body: Buffer;
  body_digest: Buffer;
}

export interface VariantRow extends ReceptionRow {
  id: number;
  content_digest: string;
  body: Buffer;
  body_digest: Buffer;
  pruned_at: number | null;
}

/** Whether event `e` and its variants are applied. */
const APPLIED = `(
  e.id <= (SELECT last_id FROM apply_progress WHERE source = 'events')
  AND NOT EXISTS (SELECT 1 FROM variants v WHERE v.event_id = e.id
                  AND v.id > (SELECT last_id FROM apply_progress WHERE source = 'variants')))`;

/** The columns of an EventRow, from `events e`. */
export const EVENT_COLUMNS = `
  e.id, e.environment, e.event, e.reference, e.updated_at, e.kind, e.state, e.quarantine, e.status, e.key_id,
  e.merchant_signature, e.sent_at, e.received_at, e.last_received_at, e.deliveries, e.pruned_at,
  (SELECT count(*) FROM variants v WHERE v.event_id = e.id) AS variants, ${APPLIED} AS applied`;

/** A condition whose parameter is NULL is left out. An event claims its status once it is applied. */
export const EVENT_CONDITIONS = `
  (@environment IS NULL OR e.environment = @environment)
  AND (@kind IS NULL OR e.kind = @kind)
  AND (@event IS NULL OR e.event = @event)
  AND (@state IS NULL OR e.state = @state)
  AND (@sinceMs IS NULL OR e.received_at >= @sinceMs)
  AND (@untilMs IS NULL OR e.received_at < @untilMs)
  AND (@status IS NULL OR (e.status = @status AND ${APPLIED}))`;

/**
 * The events of @reference, without an index on it: through the observations of its records, the small index of events
 * without one, and the few events not applied yet. CROSS JOIN fixes that order; the planner would otherwise read all
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
  const waiting = `
      SELECT id FROM events
      WHERE id > (SELECT last_id FROM apply_progress WHERE source = 'events') AND reference = @reference`;
  return [...observed, others, waiting].join(' UNION ');
}

export function summaryOf(row: EventRow): EventSummary {
  return {
    id: row.id,
    environment: row.environment,
    event: row.event,
    reference: row.reference,
    updatedAt: row.updated_at,
    kind: row.kind,
    state: row.state,
    quarantine: row.quarantine,
    status: row.applied === 1 ? row.status : null,
    applied: row.applied === 1,
    ...receptionOf(row),
    variants: row.variants,
    prunedAtMs: row.pruned_at,
  };
}

/** @throws StoreError `corrupt` when a body is not the one whose digest was kept */
export function contentsOf(row: EventBodyRow, variants: readonly VariantRow[]): EventContents {
  return {
    ...summaryOf(row),
    body: row.body,
    bodyDigest: checkedDigest(`event ${row.id}`, row),
    contents: variants.map((variant) => variantOf(variant, row.id)),
  };
}

function variantOf(row: VariantRow, eventId: number): Variant {
  return {
    id: row.id,
    contentDigest: row.content_digest,
    body: row.body,
    bodyDigest: checkedDigest(`variant ${row.id} of event ${eventId}`, row),
    prunedAtMs: row.pruned_at,
    ...receptionOf(row),
  };
}

function receptionOf(row: ReceptionRow): Reception {
  return {
    keyId: row.key_id,
    merchantSignature: row.merchant_signature,
    sentAt: row.sent_at,
    receivedAtMs: row.received_at,
    lastReceivedAtMs: row.last_received_at,
    deliveries: row.deliveries,
  };
}

type BodyRow = Pick<VariantRow, 'body' | 'body_digest' | 'pruned_at'>;

/**
 * The kept digest as hex, after comparing it with the body: a damaged row must not pass for what was received. A pruned
 * body is empty and keeps its digest.
 */
function checkedDigest(what: string, { body, body_digest: digest, pruned_at: prunedAt }: BodyRow): string {
  const kept = digest.toString('hex');
  if (prunedAt === null ? hash('sha256', body, 'hex') === kept : body.length === 0) return kept;
  throw new StoreError('corrupt', `The body of ${what} is not the one that was kept: its sha256 differs.`, {
    hint: 'Stop, keep the files, and restore a backup: tallyhook restore FILE',
  });
}
