import type { Archive } from '../../src/store/archive.ts';
import { walk } from '../../src/store/cursor.ts';
import type { EventContents, EventFilter } from '../../src/store/events.ts';

/** Every kept event with its body, the oldest first, as `events export` reads them. */
export async function allBodies(archive: Archive, filter: EventFilter = {}, limit = 100): Promise<EventContents[]> {
  const until = await archive.eventEnd();
  const all: EventContents[] = [];
  const read = (stretch: Parameters<Archive['nextBodies']>[1]) => archive.nextBodies(filter, stretch);
  for await (const { events } of walk(read, { after: null, until, limit })) all.push(...events);
  return all;
}
