import type { Archive } from '../../../src/store/archive.ts';
import { type Cursor, type Stretch, walk } from '../../../src/store/cursor.ts';
import type { EventFilter, EventSummary } from '../../../src/store/events.ts';

const POLL_MS = 200;
/** Events in memory at a time. */
const AT_ONCE = 500;

export interface FollowParts {
  readonly archive: Pick<Archive, 'eventEnd' | 'nextEvents'>;
  readonly signal: AbortSignal;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Yields each event behind `from` once, as it is carried out, until `signal`. */
export async function* follow(
  filter: EventFilter,
  from: Cursor | null,
  { archive, signal, sleep }: FollowParts,
): AsyncGenerator<EventSummary, void, undefined> {
  const read = (stretch: Stretch) => archive.nextEvents(filter, stretch);
  let place = from;
  while (!signal.aborted) {
    const until = await archive.eventEnd();
    for await (const walked of walk(read, { after: place, until, limit: AT_ONCE })) {
      yield* walked.events;
      place = walked.place;
      if (signal.aborted) return;
    }
    await sleep(POLL_MS);
  }
}
