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
  /** Events counted with more deliveries than their bodies were sent; 0 where that is not known. */
  readonly overcounted: number;
}

/** What else is known of the bodies, by how often each. */
interface Known {
  /** Bodies (latin1) that the log holds for the database. */
  readonly waiting?: Acks;
  /** Bodies (as sent) that were sent, answered or not. */
  readonly sent?: Acks | undefined;
}

export function compareWithAcks(
  contents: readonly Content[],
  acks: Acks,
  { waiting = new Map(), sent }: Known = {},
): Comparison {
  const eventsOf = new Map(contents.map(({ body, eventId }) => [body, eventId]));
  const counted = new Map(contents.map(({ eventId, deliveries }) => [eventId, deliveries]));
  /** By event: how often its bodies are in `times`, those that wait left out. Bodies of no event are given to `others`. */
  const byEvent = (times: Acks, others: (left: number) => void = () => {}) => {
    const sums = new Map<number, number>();
    for (const [text, count] of times) {
      const body = Buffer.from(text).toString('latin1');
      const left = count - (waiting.get(body) ?? 0);
      const eventId = eventsOf.get(body);
      if (eventId === undefined) others(left);
      else sums.set(eventId, (sums.get(eventId) ?? 0) + left);
    }
    return sums;
  };
  let lost = 0;
  const acked = byEvent(acks, (left) => {
    if (left > 0) lost++;
  });
  const most = sent && byEvent(sent);
  const deviating = (isWrong: (eventId: number, deliveries: number) => boolean) =>
    [...counted].filter(([eventId, deliveries]) => isWrong(eventId, deliveries)).length;
  return {
    lost,
    doubled: contents.length - eventsOf.size,
    undercounted: deviating((eventId, deliveries) => deliveries < (acked.get(eventId) ?? 0)),
    overcounted: deviating((eventId, deliveries) => most !== undefined && deliveries > (most.get(eventId) ?? 0)),
  };
}
