import type { Environment } from '../../../domain/environment.ts';
import { type PayloadDecoder, readEvent } from '../../../domain/events/event.ts';
import { contradictingObservation, type KeptContent } from '../../../domain/events/webhook-observation.ts';
import type { RecordObservation } from '../../../domain/records/observation.ts';
import type { Database } from '../engine/database.ts';

interface EventRow {
  environment: Environment;
  body: Buffer;
}

/**
 * Finds the contents that name the other environment under the key of an event that another content observes. They count only
 * beside that content, in either order of arrival: when it comes first, each of them is found as it comes; else all of them are
 * found when the first content comes that observes.
 */
export function contradictingContents(database: Database, decode?: PayloadDecoder) {
  const isObserved = database
    .prepare<[number], 0 | 1>("SELECT EXISTS (SELECT 1 FROM events WHERE id = ? AND state = 'observed')")
    .pluck();
  const isFirstObserved = database
    .prepare<[number, number], 0 | 1>(
      'SELECT NOT EXISTS (SELECT 1 FROM variants WHERE event_id = ? AND id < ? AND quarantine IS NULL)',
    )
    .pluck();
  const eventOf = database.prepare<[number], EventRow>('SELECT environment, body FROM events WHERE id = ?');
  const earlierOf = database
    .prepare<[number, number], number>(
      "SELECT id FROM variants WHERE event_id = ? AND id < ? AND quarantine = 'other_environment' ORDER BY id",
    )
    .pluck();

  return {
    /** The observation of a contradicting variant, where another content of its event observes. */
    beside(variant: KeptContent): RecordObservation[] {
      const own = contradictingObservation(variant);
      return own !== null && isObserved.get(variant.eventId) === 1 ? [own] : [];
    },

    /** The observations of the contradicting contents before the first variant that observes. */
    before({ id, eventId, receivedAtMs }: KeptContent): RecordObservation[] {
      if (isFirstObserved.get(eventId, id) === 0) return [];
      const row = eventOf.get(eventId);
      if (row === undefined) return [];
      const event = readEvent(row.body, row.environment, decode);
      const content = { eventId, environment: row.environment, event, receivedAtMs };
      const first = contradictingObservation({ ...content, source: 'events', id: eventId });
      // Where the event itself observes, each contradicting variant was found as it came.
      if (first === null) return [];
      const earlier = earlierOf.all(eventId, id).map((variantId) => {
        return contradictingObservation({ ...content, source: 'variants', id: variantId });
      });
      return [first, ...earlier.filter((one) => one !== null)];
    },
  };
}
