import { hash } from 'node:crypto';
import { contentDigest, type PayloadDecoder, readEvent, type WebhookEvent } from '../../../domain/event.ts';
import type { KeptContent } from '../../../domain/webhook-observation.ts';
import type { Delivery, Kept } from '../../inbox.ts';
import type { Database } from '../engine/database.ts';

/** `content` is null for a duplicate: nothing new was said. */
export interface KeptDelivery extends Kept {
  readonly content: KeptContent | null;
}

interface KnownRow {
  id: number;
  body: Buffer;
  body_digest: Buffer;
  content_digest: string | null;
}

/** The inbox's one write: deliveries become events, variants or one more delivery of what is there. */
export function eventWrites(database: Database, decode?: PayloadDecoder) {
  // The insert itself decides (promise 3): the constraint is asked, never a look-up before it. A new event, by far the
  // commonest, costs this one statement; with an upsert that returns its row it would cost twice as much.
  const insertEvent = database.prepare<unknown[]>(`
    INSERT INTO events (environment, event, reference, updated_at, kind, state, quarantine, body, body_digest,
                        key_id, merchant_signature, sent_at, received_at, last_received_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (updated_at, event, reference, environment) DO NOTHING`);
  const countDelivery = database.prepare<unknown[], KnownRow>(`
    UPDATE events SET deliveries = deliveries + 1, last_received_at = max(last_received_at, ?)
    WHERE updated_at = ? AND event = ? AND reference = ? AND environment = ?
    RETURNING id, body, body_digest, content_digest`);
  const insertVariant = database.prepare<unknown[], { id: number; deliveries: number }>(`
    INSERT INTO variants (event_id, content_digest, body, body_digest, key_id, merchant_signature, sent_at,
                          received_at, last_received_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (event_id, content_digest)
      DO UPDATE SET deliveries = deliveries + 1, last_received_at = max(last_received_at, excluded.last_received_at)
    RETURNING id, deliveries`);

  function keepOne(delivery: Delivery): KeptDelivery {
    const { environment, keyId, merchantSignature, body, sentAt, receivedAtMs } = delivery;
    const event = readEvent(body, environment, decode);
    const { kind, state, quarantine, reference, updatedAt } = event;
    const digest = hash('sha256', body, 'buffer');
    const inserted = insertEvent.run(
      ...[environment, event.event, reference, updatedAt, kind, state, quarantine, body, digest],
      ...[keyId, merchantSignature, sentAt, receivedAtMs, receivedAtMs],
    );
    if (inserted.changes === 0) return keepAgain(delivery, event, digest);
    const id = Number(inserted.lastInsertRowid);
    const content = { source: 'events', id, eventId: id, environment, event, receivedAtMs } as const;
    return { eventId: id, duplicate: false, content };
  }

  /** A delivery under a key that is there: the same content in whatever encoding, or another one beside it. */
  function keepAgain(delivery: Delivery, event: WebhookEvent, digest: Buffer): KeptDelivery {
    const { environment, keyId, merchantSignature, body, sentAt, receivedAtMs } = delivery;
    const key = [event.updatedAt, event.event, event.reference, environment];
    const known = countDelivery.get(receivedAtMs, ...key) as KnownRow;
    const duplicate = { eventId: known.id, duplicate: true, content: null };
    if (digest.equals(known.body_digest)) return duplicate;
    const contentOfThis = contentDigest(body);
    // The body may be pruned; its digest stays, so that a delivery is known for ever.
    if (contentOfThis === (known.content_digest ?? contentDigest(known.body))) return duplicate; // decisions 20
    const variant = insertVariant.get(
      ...[known.id, contentOfThis, body, digest, keyId, merchantSignature, sentAt, receivedAtMs, receivedAtMs],
    ) as { id: number; deliveries: number };
    if (variant.deliveries > 1) return duplicate;
    const { id: eventId } = known;
    const content = { source: 'variants', id: variant.id, eventId, environment, event, receivedAtMs } as const;
    return { eventId, duplicate: false, content };
  }

  return {
    /** Keeps a group of deliveries. The caller holds the transaction, and acknowledges after its commit. */
    keep: (deliveries: readonly Delivery[]): KeptDelivery[] => deliveries.map(keepOne),
  };
}
