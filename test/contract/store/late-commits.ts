import type { Archive } from '../../../src/store/archive.ts';
import type { Cursor, Stretch } from '../../../src/store/cursor.ts';
import type { EventFilter, EventSummary } from '../../../src/store/events.ts';

/** `behind the oldest open`: an end never passes an id whose transaction is open. `after the last`: it is the last id. */
export type EndRule = 'behind the oldest open' | 'after the last';

/** What `walk` and `events tail` read. */
export type EventWalks = Pick<Archive, 'eventEnd' | 'nextEvents'>;

/** Committed events behind one id, up to another, in the order of ids. */
type ReadEvents = (filter: EventFilter, afterId: number, untilId: number, limit: number) => Promise<EventSummary[]>;

/**
 * The walks of an engine whose transactions commit their ids in any order. A cursor is an id; what makes it right or wrong
 * is `rule`, by which the end is chosen. Ids have no gaps once everything is committed.
 */
export function walksOverIds(
  rule: EndRule,
  committed: () => Promise<ReadonlySet<number>>,
  read: ReadEvents,
): EventWalks {
  return {
    eventEnd: async () => endOf(rule, await committed()),
    async nextEvents(filter: EventFilter, { after, until, limit }: Stretch) {
      const [afterId, untilId] = [Number(after ?? 0), Number(until)];
      const events = afterId < untilId ? await read(filter, afterId, untilId, limit) : [];
      const done = events.length < limit;
      const placeId = done ? Math.max(afterId, untilId) : (events.at(-1)?.id ?? untilId);
      return { events, place: String(placeId) as Cursor, done };
    },
  };
}

function endOf(rule: EndRule, ids: ReadonlySet<number>): Cursor {
  let id = 0;
  if (rule === 'after the last') id = Math.max(0, ...ids);
  else while (ids.has(id + 1)) id++;
  return String(id) as Cursor;
}
