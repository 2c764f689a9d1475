import type { Database } from 'better-sqlite3';

// What must be in a database, by the client's own notes. Nothing here is the product's code: a mistake of the product
// cannot hide in the oracle.

/** Body (as sent) to the number of 200s that it got. */
export type Acks = ReadonlyMap<string, number>;

export interface Content {
  readonly eventId: number;
  readonly environment: string;
  /** The kept bytes, as latin1. */
  readonly body: string;
  /** Deliveries under the event's key. */
  readonly deliveries: number;
}

/** Every kept body: the first under each key, and its variants. */
export function keptContents(database: Database): Content[] {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE name IN ('events', 'variants')").all();
  if (tables.length < 2) return []; // the power was cut before the schema was there
  const rows = database
    .prepare<[], Omit<Content, 'body'> & { body: Buffer }>(`
      SELECT id AS eventId, environment, body, deliveries FROM events UNION ALL
      SELECT event_id, environment, variants.body, events.deliveries FROM variants JOIN events ON events.id = event_id`)
    .all();
  return rows.map((row) => ({ ...row, body: row.body.toString('latin1') }));
}

export interface Comparison {
  /** Bodies that were answered 200 and are not there, byte for byte. */
  readonly lost: number;
  /** Bodies that are there more than once. */
  readonly doubled: number;
  /** Events counted with fewer deliveries than 200s were given to their bodies. */
  readonly undercounted: number;
}

/** `waiting`: bodies (latin1) that the log holds for them, to how often. */
export function compareWithAcks(contents: readonly Content[], acks: Acks, waiting: Acks = new Map()): Comparison {
  const eventsOf = new Map<string, number>();
  const acked = new Map<number, number>();
  const counted = new Map(contents.map(({ eventId, deliveries }) => [eventId, deliveries]));
  for (const { body, eventId } of contents) eventsOf.set(body, eventId);
  let lost = 0;
  for (const [text, count] of acks) {
    const body = Buffer.from(text).toString('latin1');
    const eventId = eventsOf.get(body);
    const left = count - (waiting.get(body) ?? 0);
    if (eventId !== undefined) acked.set(eventId, (acked.get(eventId) ?? 0) + left);
    else if (left > 0) lost++;
  }
  const undercounted = [...acked].filter(([eventId, count]) => (counted.get(eventId) ?? 0) < count).length;
  return { lost, doubled: contents.length - eventsOf.size, undercounted };
}
