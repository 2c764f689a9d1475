/*
 * Cursors: how a reader goes through all events, such as `events tail` and `events export`. Ids do not serve for that: an
 * engine with several writers commits them out of order, and a reader that goes on "after the last id" misses events.
 * A cursor holds in every process and after a restart, not in a restored database. Equal places have equal text.
 */

declare const cursor: unique symbol;

/** A place in the order in which one engine hands out what it keeps. Only the engine that made it can read it. */
export type Cursor = string & { readonly [cursor]: true };

/** One stretch of a walk through the events. */
export interface Stretch {
  /** Begin behind this place; null: with the first event. */
  readonly after: Cursor | null;
  /** End at this place, which is not necessarily behind `after`: then nothing is read. */
  readonly until: Cursor;
  /** Most events of this stretch. */
  readonly limit: number;
}

/** What a stretch held. */
export interface Walked<Event> {
  readonly events: readonly Event[];
  /** How far the walk has come: the next stretch begins behind it. */
  readonly place: Cursor;
  /** The walk has reached `until`. */
  readonly done: boolean;
}

/**
 * Yields the stretches of a walk from behind `after` to `until`: each event once. Every command that goes through the
 * events uses this loop, with every engine.
 */
export async function* walk<Event>(
  read: (stretch: Stretch) => Promise<Walked<Event>>,
  { after, until, limit }: Stretch,
): AsyncGenerator<Walked<Event>, void, undefined> {
  for (let place = after; ; ) {
    const walked: Walked<Event> = await read({ after: place, until, limit });
    yield walked;
    if (walked.done) return;
    place = walked.place;
  }
}
