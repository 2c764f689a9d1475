import type { EventContents, EventFilter, EventSummary, HighWater, Page } from '../store.ts';
import type { Database } from './database.ts';
import {
  contentsOf,
  EVENT_COLUMNS,
  EVENT_CONDITIONS,
  EVENTS_OF_REFERENCE,
  type EventBodyRow,
  type EventRow,
  summaryOf,
  type VariantRow,
} from './event-rows.ts';
import { guarded, snapshot } from './reading.ts';
import { firstIdSince, type IdRange, pageRange, scan } from './scan.ts';

type Parameters = Record<keyof EventFilter, string | number | null> & { first: number; last: number; limit: number };

export type EventArchive = ReturnType<typeof eventArchive>;

/** The inbox, read: pages of events in the order of their ids. */
export function eventArchive(database: Database) {
  const summaries = pageStatements<EventRow>(database, EVENT_COLUMNS);
  const bodies = pageStatements<EventBodyRow>(database, `${EVENT_COLUMNS}, e.body, e.body_digest`);
  const one = database.prepare<[number], EventBodyRow>(
    `SELECT ${EVENT_COLUMNS}, e.body, e.body_digest FROM events e WHERE e.id = ?`,
  );
  const variantsOf = database.prepare<[number], VariantRow>('SELECT * FROM variants WHERE event_id = ? ORDER BY id');
  const latestWithin = database
    .prepare<[number, number], number | null>('SELECT max(received_at) FROM events WHERE id BETWEEN ? AND ?')
    .pluck();
  const highWater = database.prepare<[], HighWater>(`
    SELECT coalesce((SELECT max(id) FROM events), 0) AS lastId,
           (SELECT last_id FROM apply_progress WHERE source = 'events') AS appliedId`);
  const latest = guarded(database, ({ first, last }: IdRange) => latestWithin.get(first, last) ?? null);
  const readHighWater = guarded(database, () => highWater.get() as HighWater);

  async function pageOf<Row, Result>(
    statements: PageStatements<Row>,
    filter: EventFilter,
    page: Page,
    resultOf: (row: Row) => Result,
  ): Promise<Result[]> {
    const statement = statements[filter.reference === undefined ? 'all' : 'ofReference'][page.order];
    const read = snapshot(database, ({ first, last }: IdRange, limit: number): Result[] =>
      statement.all({ ...parametersOf(filter), first, last, limit }).map(resultOf),
    );
    const all = { first: 1, last: readHighWater().lastId };
    // By reference it is a handful of rows, found without looking at any other.
    if (filter.reference !== undefined) return read(pageRange(all, page), page.limit);
    const first = filter.sinceMs === undefined ? all.first : await firstIdSince(all, filter.sinceMs, latest);
    return scan({ first, last: all.last }, page, read);
  }

  const contents = (row: EventBodyRow) => contentsOf(row, row.variants === 0 ? [] : variantsOf.all(row.id));

  return {
    events: (filter: EventFilter, page: Page): Promise<EventSummary[]> => pageOf(summaries, filter, page, summaryOf),
    bodies: (filter: EventFilter, page: Page): Promise<EventContents[]> => pageOf(bodies, filter, page, contents),
    highWater: readHighWater,

    /** All of one reference, the oldest first. The caller holds the snapshot. */
    ofReference(reference: string, limit: number): EventSummary[] {
      const range = { first: 1, last: Number.MAX_SAFE_INTEGER };
      return summaries.ofReference.oldest.all({ ...parametersOf({ reference }), ...range, limit }).map(summaryOf);
    },

    /** One event with its bodies. The caller holds the snapshot. */
    contentsOf(id: number): EventContents | null {
      const row = one.get(id);
      return row === undefined ? null : contents(row);
    },
  };
}

type PageStatements<Row> = ReturnType<typeof pageStatements<Row>>;

function pageStatements<Row>(database: Database, columns: string) {
  const prepare = (source: string, direction: 'ASC' | 'DESC') =>
    database.prepare<Parameters, Row>(`
      SELECT ${columns} FROM ${source}
      WHERE e.id BETWEEN @first AND @last AND ${EVENT_CONDITIONS}
      ORDER BY e.id ${direction} LIMIT @limit`);
  const both = (source: string) => ({ newest: prepare(source, 'DESC'), oldest: prepare(source, 'ASC') });
  return { all: both('events e'), ofReference: both(EVENTS_OF_REFERENCE) };
}

function parametersOf(filter: EventFilter): Record<keyof EventFilter, string | number | null> {
  return {
    environment: filter.environment ?? null,
    kind: filter.kind ?? null,
    event: filter.event ?? null,
    reference: filter.reference ?? null,
    status: filter.status ?? null,
    state: filter.state ?? null,
    sinceMs: filter.sinceMs ?? null,
    untilMs: filter.untilMs ?? null,
  };
}
