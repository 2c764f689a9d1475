import type { ObservationSummary } from '../store/records.ts';
import type { RecordStory, VariantSummary } from '../store/story.ts';
import { type Entry, iso, type Source, statedFacts, statedText, times, type Wording } from './entry.ts';

// The webhooks: each event once, with the number of its deliveries, and other contents under its key.

export const webhooks: Source = ({ record, events, variants: kept }, wording) => {
  const byIdentity = statedByIdentity(record);
  const byEvent = Map.groupBy(kept, ({ eventId }) => eventId);
  return events.map((event): Entry => {
    // An event counts the deliveries of its variants too; each variant has an entry of its own.
    const ofVariants = (byEvent.get(event.id) ?? []).reduce((sum, variant) => sum + variant.deliveries, 0);
    const deliveries = event.deliveries - ofVariants;
    const stated = byIdentity.get(`event ${event.id}`);
    const content = stated === undefined ? '' : `: ${statedText(stated, wording)}`;
    return {
      atMs: event.receivedAtMs,
      source: 'webhook',
      text: `Webhook ${event.event} received (event ${event.id})${content}.${signed(event)}${delivered({ ...event, deliveries }, wording)}`,
      facts: {
        eventId: event.id,
        event: event.event,
        keyId: event.keyId,
        merchantSignature: event.merchantSignature,
        ...(stated !== undefined && statedFacts(stated)),
        deliveries,
        lastReceivedAt: iso(event.lastReceivedAtMs),
      },
    };
  });
};

export const variants: Source = ({ record, variants: kept }, wording) => {
  const byIdentity = statedByIdentity(record);
  return kept.map((variant): Entry => {
    const stated = byIdentity.get(`variant ${variant.id}`);
    const content = stated === undefined ? '' : `: ${statedText(stated, wording)}`;
    return {
      atMs: variant.receivedAtMs,
      source: 'variant',
      text:
        `Another content received under the key of event ${variant.eventId} (variant ${variant.id})${content}. ` +
        `Neither takes precedence.${signed(variant)}${delivered(variant, wording)}`,
      facts: {
        variantId: variant.id,
        eventId: variant.eventId,
        keyId: variant.keyId,
        merchantSignature: variant.merchantSignature,
        ...(stated !== undefined && statedFacts(stated)),
        deliveries: variant.deliveries,
        lastReceivedAt: iso(variant.lastReceivedAtMs),
      },
    };
  });
};

type Received = Pick<
  VariantSummary,
  'keyId' | 'merchantSignature' | 'deliveries' | 'receivedAtMs' | 'lastReceivedAtMs'
>;

function signed({ keyId, merchantSignature }: Received): string {
  return merchantSignature === 'verified' ? ` Signed by ${keyId}.` : ` Signed by ${keyId}, without merchantSignature.`;
}

function delivered({ deliveries, lastReceivedAtMs }: Received, { time }: Wording): string {
  return deliveries === 1 ? '' : ` Delivered ${times(deliveries)}, last at ${time(lastReceivedAtMs)}; it counts once.`;
}

function statedByIdentity({ observations }: RecordStory['record']): Map<string, ObservationSummary['stated']> {
  return new Map(observations.map(({ identity, stated }) => [identity, stated]));
}
