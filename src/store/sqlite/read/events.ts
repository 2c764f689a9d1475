import type { Cursor, Stretch, Walked } from '../../cursor.ts';
import type { EventContents, EventFilter, EventSummary } from '../../events.ts';
import type { Count } from '../../records.ts';
import type { Database } from '../engine/database.ts';
import { guarded, snapshot } from '../engine/reading.ts';
import { cursorOf, idOf } from '../rows/cursor.ts';
import {
  BODY_COLUMNS,
  contentsOf,
  EVENT_COLUMNS,
  EVENT_CONDITIONS,
  EVENTS_OF_REFERENCE,
  type EventBodyRow,
  VARIANT_COLUMNS,
  type VariantRow,
} from '../rows/events.ts';
import { wordsParameter } from '../rows/one-of.ts';
import type { DamagedRows } from './damaged-rows.ts';
import { countAll, countRows, firstIdSince, type IdRange, type Page, pageRange, scan } from './scan.ts';

/** Ids of one statement about events that made no observation: an index has them alone. */
const FEW_WINDOW = 1_000_000;

type Parameters = Record<keyof EventFilter, string | number | null> & IdRange & { limit: number };

export type EventReads = ReturnType<typeof eventReads>;

/** The inbox, read: pages of events in the order of their ids. */
export function eventReads(database: Database, damaged: DamagedRows) {
  const columns = `${EVENT_COLUMNS}${damaged.column('events', 'e.id')}`;
  const summaries = pageStatements<EventSummary>(database, columns);
  const bodies = pageStatements<EventBodyRow>(database, `${columns}, ${BODY_COLUMNS}`);
  const counting = countStatements(database);
  const one = database.prepare<[number], EventBodyRow>(
    `SELECT ${columns}, ${BODY_COLUMNS} FROM events e WHERE e.id = ?`,
  );
  const variantsOf = database.prepare<[number], VariantRow>(
    `SELECT ${VARIANT_COLUMNS} FROM variants WHERE event_id = ? ORDER BY id`,
  );
  const latestWithin = database
    .prepare<[number, number], number | null>('SELECT max(received_at) FROM events WHERE id BETWEEN ? AND ?')
    .pluck();
  const lastId = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM events').pluck();
  const latest = guarded(database, ({ first, last }: IdRange) => latestWithin.get(first, last) ?? null);
  const readLastId = guarded(database, () => lastId.get() ?? 0);

  async function pageOf<Row extends object, Result>(
    statements: PageStatements<Row>,
    filter: EventFilter,
    page: Page,
    resultOf: (row: Row) => Result,
  ): Promise<Result[]> {
    const statement = statements[sourceOf(filter)][page.order];
    const read = snapshot(database, ({ first, last }: IdRange, limit: number): Result[] =>
      statement.all({ ...parametersOf(filter), first, last, limit }).map((row) => resultOf(damaged.reported(row))),
    );
    // A reference has a handful of rows, found by index.
    if (filter.reference !== undefined) return read(pageRange(await allOf(undefined), page), page.limit);
    return scan(await allOf(filter.sinceMs), page, read, sourceOf(filter) === 'notObserved' ? FEW_WINDOW : undefined);
  }

  const allOf = async (sinceMs: number | undefined): Promise<IdRange> => {
    const all = { first: 1, last: readLastId() };
    return sinceMs === undefined ? all : { ...all, first: await firstIdSince(all, sinceMs, latest) };
  };
  const count = guarded(database, (filter: EventFilter, range: IdRange) => {
    const parameters = { ...parametersOf(filter), ...range };
    return counting[sourceOf(filter)].get(parameters) ?? 0;
  });
  const unfiltered = guarded(database, () => counting.unfiltered.get() ?? 0);
  const contents = (row: EventBodyRow) => contentsOf(row, row.variants === 0 ? [] : variantsOf.all(row.id));

  return {
    events: (filter: EventFilter, page: Page): Promise<EventSummary[]> => pageOf(summaries, filter, page, (row) => row),

    async count(filter: EventFilter): Promise<Count> {
      if (Object.keys(filter).length === 0) return countAll(readLastId(), unfiltered);
      if (filter.reference !== undefined) return count(filter, await allOf(undefined));
      return countRows(await allOf(filter.sinceMs), (range) => count(filter, range));
    },

    eventEnd: (): Cursor => cursorOf(readLastId()),

    nextEvents: (filter: EventFilter, stretch: Stretch): Promise<Walked<EventSummary>> =>
      walked(stretch, (page) => pageOf(summaries, filter, page, (row) => row)),

    nextBodies: (filter: EventFilter, stretch: Stretch): Promise<Walked<EventContents>> =>
      walked(stretch, (page) => pageOf(bodies, filter, page, contents)),

    /** All of one reference, the oldest first. The caller holds the snapshot. */
    ofReference(reference: string, limit: number): EventSummary[] {
      const range = { first: 1, last: Number.MAX_SAFE_INTEGER };
      return summaries.ofReference.oldest
        .all({ ...parametersOf({ reference }), ...range, limit })
        .map(damaged.reported);
    },

    /** One event with its bodies. The caller holds the snapshot. */
    contentsOf(id: number): EventContents | null {
      const row = one.get(id);
      return row === undefined ? null : contents(damaged.reported(row));
    },
  };
}

/** Reads one stretch as a page of ids. */
async function walked<Event extends { readonly id: number }>(
  { after, until, limit }: Stretch,
  read: (page: Page) => Promise<Event[]>,
): Promise<Walked<Event>> {
  const [afterId, untilId] = [idOf(after), idOf(until)];
  const events = afterId < untilId ? await read({ afterId, untilId, limit, order: 'oldest' }) : [];
  const last = events.length < limit ? undefined : events.at(-1);
  return { events, place: cursorOf(last?.id ?? Math.max(afterId, untilId)), done: last === undefined };
}

/** Each with its way to the events: by id, by the records of a reference, by the few that made no observation. */
const SOURCES = {
  all: `events e WHERE ${EVENT_CONDITIONS}`,
  ofReference: `${EVENTS_OF_REFERENCE} WHERE ${EVENT_CONDITIONS}`,
  notObserved: `events e INDEXED BY events_not_observed WHERE e.state <> 'observed' AND ${EVENT_CONDITIONS}`,
} as const;

function sourceOf({ reference, states }: EventFilter): keyof typeof SOURCES {
  if (reference !== undefined) return 'ofReference';
  return states === undefined || states.includes('observed') ? 'all' : 'notObserved';
}

type PageStatements<Row> = ReturnType<typeof pageStatements<Row>>;

function pageStatements<Row>(database: Database, columns: string) {
  const prepare = (source: keyof typeof SOURCES, direction: 'ASC' | 'DESC') =>
    database.prepare<Parameters, Row>(`
      SELECT ${columns} FROM ${SOURCES[source]} AND e.id BETWEEN @first AND @last
      ORDER BY e.id ${direction} LIMIT @limit`);
  const both = (source: keyof typeof SOURCES) => ({ newest: prepare(source, 'DESC'), oldest: prepare(source, 'ASC') });
  return { all: both('all'), ofReference: both('ofReference'), notObserved: both('notObserved') };
}

function countStatements(database: Database) {
  const prepare = (source: keyof typeof SOURCES) =>
    database
      .prepare<Omit<Parameters, 'limit'>, number>(
        `SELECT count(*) FROM ${SOURCES[source]} AND e.id BETWEEN @first AND @last`,
      )
      .pluck();
  return {
    all: prepare('all'),
    ofReference: prepare('ofReference'),
    notObserved: prepare('notObserved'),
    unfiltered: database.prepare<[], number>('SELECT count(*) FROM events').pluck(), // by an index, without the bodies
  };
}

function parametersOf(filter: EventFilter): Record<keyof EventFilter, string | number | null> {
  return {
    environment: filter.environment ?? null,
    reference: filter.reference ?? null,
    kinds: wordsParameter(filter.kinds),
    events: wordsParameter(filter.events),
    statuses: wordsParameter(filter.statuses),
    states: wordsParameter(filter.states),
    sinceMs: filter.sinceMs ?? null,
    untilMs: filter.untilMs ?? null,
  };
}
