import type { Archive } from '../../../src/store/archive.ts';
import { type Cursor, type Stretch, walk } from '../../../src/store/cursor.ts';
import type { EventFilter, EventSummary } from '../../../src/store/events.ts';
import type { Clock } from '../../../src/time/clock.ts';

const POLL_MS = 200;
/** Events in memory at a time. */
const AT_ONCE = 500;
/** An event is shown once it is applied, with its status. When applying makes no progress for 3 s, without a status. */
const APPLY_PATIENCE_MS = 3_000;

export interface FollowParts {
  readonly archive: Pick<Archive, 'eventEnds' | 'nextEvents'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Yields each event behind `from` once, as it arrives, until `signal`. */
export async function* follow(
  filter: EventFilter,
  from: Cursor | null,
  { archive, clock, signal, sleep }: FollowParts,
): AsyncGenerator<EventSummary, void, undefined> {
  const read = (stretch: Stretch) => archive.nextEvents(filter, stretch);
  let place = from;
  let [applied, appliedAtMs]: [Cursor | null, number] = [null, clock.nowMs()];
  while (!signal.aborted) {
    const ends = await archive.eventEnds();
    if (ends.applied !== applied || ends.kept === place) [applied, appliedAtMs] = [ends.applied, clock.nowMs()];
    const stalled = clock.nowMs() - appliedAtMs > APPLY_PATIENCE_MS;
    const until = stalled ? ends.kept : ends.applied;
    for await (const walked of walk(read, { after: place, until, limit: AT_ONCE })) {
      yield* walked.events;
      place = walked.place;
      if (signal.aborted) return;
    }
    await sleep(POLL_MS);
  }
}
