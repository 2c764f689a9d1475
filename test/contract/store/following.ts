import type { Archive } from '../../../src/store/archive.ts';
import { type Cursor, walk } from '../../../src/store/cursor.ts';
import type { EventFilter } from '../../../src/store/events.ts';
import { refund } from '../../support/deliveries.ts';
import type { World } from './world.ts';

/** The references on a walk from behind `after`, and where it came to. */
export async function walked(
  archive: Archive,
  until: Cursor,
  after: Cursor | null = null,
  filter: EventFilter = {},
  limit = 3,
) {
  const references: string[] = [];
  let place = after;
  for await (const step of walk((stretch) => archive.nextEvents(filter, stretch), { after, until, limit })) {
    references.push(...step.events.map(({ reference }) => reference));
    place = step.place;
  }
  return { references, place };
}

export const receiveAll = (world: World, ...references: string[]) =>
  world.receive(...references.map((reference) => refund(reference, 'pending')));
export const names = (count: number, prefix = 'R') => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
