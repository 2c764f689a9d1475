import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  contentDigest,
  type EventKind,
  type PayloadDecoder,
  readEvent,
  type WebhookEvent,
} from '../../../domain/events/event.ts';
import { statedStatus } from '../../../domain/events/stated.ts';
import type { KeptContent } from '../../../domain/events/webhook-observation.ts';
import { StoreError } from '../../error.ts';
import type { Delivery, Kept } from '../../inbox.ts';
import type { Database } from '../engine/database.ts';
import { arrivalWrites } from './arrivals.ts';

export interface KeptDelivery extends Kept {
  readonly kind: EventKind;
  /** Null for a duplicate. */
  readonly content: KeptContent | null;
}

interface KeptBody {
  body: Buffer;
  body_digest: Buffer;
  pruned_at: number | null;
}

interface KnownRow extends KeptBody {
  id: number;
  updated_at: string;
  event: string;
  reference: string;
  environment: string;
  content_digest: string | null;
}

/** The write of the inbox: a delivery becomes an event, a variant, or one more delivery of a known content. */
export function eventWrites(database: Database, decode?: PayloadDecoder) {
  // The insert decides (promise 3), never a look-up before it. A new event, the most frequent case, costs this one
  // statement; an upsert that returns its row would cost twice as much.
  const insertEvent = database.prepare<unknown[]>(`
    INSERT INTO events (environment, event, reference, updated_at, kind, state, quarantine, status, body, body_digest,
                        key_id, merchant_signature, sent_at, received_at, last_received_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (updated_at, event, reference, environment) DO NOTHING`);
  const countDelivery = database.prepare<unknown[], KnownRow>(`
    UPDATE events SET deliveries = deliveries + 1, last_received_at = max(last_received_at, ?)
    WHERE updated_at = ? AND event = ? AND reference = ? AND environment = ?
    RETURNING id, updated_at, event, reference, environment, body, body_digest, content_digest, pruned_at`);
  const insertVariant = database.prepare<
    unknown[],
    KeptBody & { id: number; content_digest: string; deliveries: number }
  >(`
    INSERT INTO variants (event_id, content_digest, quarantine, body, body_digest, key_id, merchant_signature, sent_at,
                          received_at, last_received_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (event_id, content_digest)
      DO UPDATE SET deliveries = deliveries + 1, last_received_at = max(last_received_at, excluded.last_received_at)
    RETURNING id, content_digest, deliveries, body, body_digest, pruned_at`);
  const dropOtherStatus = database.prepare<[number, string | null]>(
    'UPDATE events SET status = NULL WHERE id = ? AND status IS NOT ?',
  );
  const endQuarantine = database.prepare<[number]>(
    "UPDATE events SET state = 'observed', quarantine = NULL WHERE id = ? AND quarantine IS NOT NULL",
  );

  const arrivals = arrivalWrites(database);

  function keepOne(delivery: Delivery): KeptDelivery {
    const { environment, keyId, merchantSignature, body, sentAt, receivedAtMs } = delivery;
    const event = readEvent(body, environment, decode);
    const { kind, state, quarantine, reference, updatedAt } = event;
    const digest = hash('sha256', body, 'buffer');
    const read = [environment, event.event, reference, updatedAt, kind, state, quarantine, statedStatus(event)];
    const evidence = [keyId, merchantSignature, sentAt, receivedAtMs, receivedAtMs];
    const inserted = insertEvent.run(...read, body, digest, ...evidence);
    if (inserted.changes === 0) return keepAgain(delivery, event, digest);
    const id = Number(inserted.lastInsertRowid);
    const content = { source: 'events', id, eventId: id, environment, event, receivedAtMs } as const;
    return { eventId: id, duplicate: false, variant: false, kind, content };
  }

  /** A delivery under a known key: the same content, in this encoding or another, or a variant. */
  function keepAgain(delivery: Delivery, event: WebhookEvent, digest: Buffer): KeptDelivery {
    const { environment, keyId, merchantSignature, body, sentAt, receivedAtMs } = delivery;
    const key = [event.updatedAt, event.event, event.reference, environment];
    const known = countDelivery.get(receivedAtMs, ...key);
    // A damaged index may lead to no row or to another one.
    if (known === undefined || !isDeepStrictEqual(keyOf(known), key)) throw damagedIndex();
    const { kind } = event;
    const duplicate = { eventId: known.id, duplicate: true, variant: false, kind, content: null };
    const whole = isWhole(known); // beside a damaged body, this one is kept as a variant
    if (whole && digest.equals(known.body_digest)) return duplicate;
    const contentOfThis = contentDigest(body);
    // The digest outlives a pruned body, so a duplicate is recognised for ever.
    if (whole && contentOfThis === (known.content_digest ?? contentDigest(known.body))) return duplicate; // decision 20
    const contents = [known.id, contentOfThis, event.quarantine, body, digest];
    const evidence = [keyId, merchantSignature, sentAt, receivedAtMs, receivedAtMs];
    const variant = insertVariant.get(...contents, ...evidence);
    if (variant?.content_digest !== contentOfThis) throw damagedIndex();
    if (!isWhole(variant)) throw damagedVariant(known.id);
    if (variant.deliveries > 1) return duplicate;
    // The event makes an observation as soon as one of its contents does, whichever came first.
    if (event.state === 'observed') endQuarantine.run(known.id);
    dropOtherStatus.run(known.id, statedStatus(event)); // the event states what all its contents state
    const { id: eventId } = known;
    const content = { source: 'variants', id: variant.id, eventId, environment, event, receivedAtMs } as const;
    return { eventId, duplicate: false, variant: true, kind, content };
  }

  return {
    /** Writes a group of deliveries. The caller holds the transaction. */
    keep(deliveries: readonly Delivery[]): KeptDelivery[] {
      const kept = deliveries.map(keepOne);
      arrivals.add(deliveries, kept);
      return kept;
    },
  };
}

/** Whether the body that was kept is still there: only then may a delivery count as a duplicate of it. */
function isWhole({ body, body_digest, pruned_at }: KeptBody): boolean {
  return pruned_at !== null || hash('sha256', body, 'buffer').equals(body_digest);
}

function keyOf({ updated_at, event, reference, environment }: KnownRow): string[] {
  return [updated_at, event, reference, environment];
}

function damagedIndex(): StoreError {
  return new StoreError('corrupt', 'An index of events or variants is damaged; the delivery stays in the log.', {
    hint: 'Stop, keep the files, and restore a backup: tallyhook restore FILE',
  });
}

/** Of one row: this delivery is set aside, and the others go on. */
function damagedVariant(eventId: number): StoreError {
  return new StoreError('other', `a variant of event ${eventId} is damaged; this delivery has the same content`, {
    hint: 'Run: tallyhook doctor --deep',
  });
}
