import type { Environment } from '../environment.ts';
import type { RecordObservation } from '../records/observation.ts';
import type { WebhookEvent } from './event.ts';
import { type Stated, statedOfEvent } from './stated.ts';

/** The tables that hold contents. */
export const CONTENT_SOURCES = ['events', 'variants'] as const;
export type ContentSource = (typeof CONTENT_SOURCES)[number];

/** One content under an event's key, read from the store; carrying out turns it into an observation. */
export interface KeptContent {
  readonly source: ContentSource;
  readonly id: number;
  readonly eventId: number;
  readonly environment: Environment;
  readonly event: WebhookEvent;
  readonly receivedAtMs: number;
}

/**
 * Returns the observation of a kept content; null when it makes none (unknown, quarantined). `zone`: of zone-less times
 * (decisions 87). Pure: the same content always gives the same observation, so observing it twice changes nothing.
 */
export function observationOf(content: KeptContent, zone: string): RecordObservation | null {
  const stated = statedOfEvent(content.event, zone);
  return stated === null ? null : webhookObservation(content, stated);
}

/**
 * Returns the observation of a content that names the other environment, for an event key under which another content makes
 * one: it states no status and no field, so that the key states none either, and is a finding. Null for any other content.
 * Alone under its key such a content is quarantined and makes no observation.
 */
export function contradictingObservation(content: KeptContent): RecordObservation | null {
  return content.event.quarantine === 'other_environment' ? webhookObservation(content, OTHER_ENVIRONMENT) : null;
}

const OTHER_ENVIRONMENT: Stated = {
  status: null,
  time: null,
  facts: {},
  details: {},
  times: {},
  unreadable: [],
  contradiction: false,
  otherEnvironment: true,
};

function webhookObservation(content: KeptContent, stated: Stated): RecordObservation | null {
  const { event, environment, eventId } = content;
  if (event.kind === 'unknown') return null;
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
      stated,
    },
  };
}
