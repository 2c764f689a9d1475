import type { Environment } from '../../../domain/environment.ts';
import { type PayloadDecoder, readEvent } from '../../../domain/events/event.ts';
import type { ContentSource, KeptContent } from '../../../domain/events/webhook-observation.ts';
import type { Database } from '../engine/database.ts';

/** Contents of one transaction. */
const BATCH = 256;

interface Row {
  source: ContentSource;
  id: number;
  event_id: number;
  environment: Environment;
  received_at: number;
  body: Buffer;
}

/** Contents that a version without the log kept, and did not observe before it was replaced. */
export function earlierContents(database: Database, decode?: PayloadDecoder) {
  const next = database.prepare<[], Row>(`
    SELECT 'events' AS source, events.id, events.id AS event_id, environment, received_at, body
    FROM unapplied JOIN events ON events.id = unapplied.id WHERE source = 'events'
    UNION ALL
    SELECT 'variants', variants.id, event_id, environment, variants.received_at, variants.body
    FROM unapplied JOIN variants ON variants.id = unapplied.id JOIN events ON events.id = event_id WHERE source = 'variants'
    LIMIT ${BATCH}`);
  const forget = database.prepare<[ContentSource, number]>('DELETE FROM unapplied WHERE source = ? AND id = ?');
  const isThere = database.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM unapplied)').pluck();
  return {
    isThere: (): boolean => isThere.get() === 1,

    /** The next ones; the events before the variants. */
    next: (): KeptContent[] =>
      next.all().map(({ source, id, event_id: eventId, environment, received_at: receivedAtMs, body }) => {
        return { source, id, eventId, environment, event: readEvent(body, environment, decode), receivedAtMs };
      }),

    /** They are observed. The caller holds the transaction. */
    forget(contents: readonly KeptContent[]): void {
      for (const { source, id } of contents) forget.run(source, id);
    },
  };
}
