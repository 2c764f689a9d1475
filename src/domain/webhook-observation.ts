import type { KeptContent, RecordObservation } from '../store/store.ts';
import { claimOfEvent } from './claim.ts';

/**
 * What a kept content says of its record; null when it says nothing (unknown, quarantined). `zone` reads zone-less
 * times (decisions 87). Pure: the same content always makes the same observation, so applying it twice is applying it once.
 */
export function observationOf(content: KeptContent, zone: string): RecordObservation | null {
  const { event, environment, eventId } = content;
  const claim = claimOfEvent(event, zone);
  if (claim === null || event.kind === 'unknown') return null;
  return {
    kind: event.kind,
    environment,
    reference: event.reference,
    eventId,
    observation: {
      witness: 'webhook',
      // The contents of one event key share the key and differ in their identity.
      identity: content.source === 'events' ? `event ${content.id}` : `variant ${content.id}`,
      eventKey: `${event.event} ${event.updatedAt}`,
      answer: null,
      claim,
    },
  };
}
