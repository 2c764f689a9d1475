import type { ObservationSummary } from '../store/records.ts';
import type { RecordStory, VariantSummary } from '../store/story.ts';
import { claimFacts, claimText, type Entry, iso, type Source, times, type Wording } from './entry.ts';

// What the webhooks told: each event once, however often it was delivered, and other contents under its key.

export const webhooks: Source = ({ record, events, variants: others }, wording) => {
  const claims = claimsOf(record);
  const byEvent = Map.groupBy(others, ({ eventId }) => eventId);
  return events.map((event): Entry => {
    // An event counts the deliveries of its variants, too; they tell of their own.
    const ofOthers = byEvent.get(event.id) ?? [];
    const deliveries = event.deliveries - ofOthers.reduce((sum, other) => sum + other.deliveries, 0);
    const claim = claims.get(`event ${event.id}`);
    const says = claim === undefined ? '' : `: ${claimText(claim, wording)}`;
    return {
      atMs: event.receivedAtMs,
      source: 'webhook',
      text: `Webhook ${event.event} came (event ${event.id})${says}.${signed(event)}${delivered({ ...event, deliveries }, wording)}`,
      facts: {
        ...{ eventId: event.id, event: event.event, keyId: event.keyId, merchantSignature: event.merchantSignature },
        ...(claim === undefined ? {} : claimFacts(claim)),
        ...{ deliveries, lastReceivedAt: iso(event.lastReceivedAtMs) },
      },
    };
  });
};

export const variants: Source = ({ record, variants: kept }, wording) => {
  const claims = claimsOf(record);
  return kept.map((variant): Entry => {
    const claim = claims.get(`variant ${variant.id}`);
    const says = claim === undefined ? '' : `: ${claimText(claim, wording)}`;
    return {
      atMs: variant.receivedAtMs,
      source: 'variant',
      text:
        `Another content came under the key of event ${variant.eventId} (variant ${variant.id})${says}. ` +
        `Neither counts for more than the other.${signed(variant)}${delivered(variant, wording)}`,
      facts: {
        ...{ variantId: variant.id, eventId: variant.eventId, keyId: variant.keyId },
        ...{ merchantSignature: variant.merchantSignature },
        ...(claim === undefined ? {} : claimFacts(claim)),
        ...{ deliveries: variant.deliveries, lastReceivedAt: iso(variant.lastReceivedAtMs) },
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
  return deliveries === 1 ? '' : ` Delivered ${times(deliveries)}, the last ${time(lastReceivedAtMs)}; it counts once.`;
}

function claimsOf({ observations }: RecordStory['record']): Map<string, ObservationSummary['claim']> {
  return new Map(observations.map(({ identity, claim }) => [identity, claim]));
}
