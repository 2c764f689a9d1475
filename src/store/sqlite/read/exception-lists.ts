import { setImmediate as nextTurn } from 'node:timers/promises';
import { ExceptionSums } from '../../../domain/exceptions/sums.ts';
import type { Cursor } from '../../cursor.ts';
import type { Exception, ExceptionArchive, ExceptionFilter } from '../../exceptions.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';
import { EXCEPTION_MATCHING, exceptionParameters } from '../rows/exception-filter.ts';
import { EXCEPTION_SELECT, type ExceptionRow, exceptionFromRow, placeBefore } from '../rows/exceptions.ts';

/** Most rows looked at by one statement: a filter that matches little would else read them all in one. */
const WINDOW = 5_000;

type Values = Pick<ExceptionRow, 'code' | 'currency' | 'ours' | 'theirs' | 'variance' | 'effect'>;

/** Reads lists of exceptions in the order of their places, and adds them up. */
export function exceptionLists(
  database: Database,
): Pick<ExceptionArchive, 'exceptions' | 'exceptionTotals' | 'exceptionKinds'> {
  // Closed ones pile up over the years: a list without them goes by an index that has only the others.
  const of = (table: 'exceptions_open' | 'exceptions_place') => {
    const source = `exceptions e INDEXED BY ${table}`;
    const within = `WHERE e.place > @after AND (@until IS NULL OR e.place <= @until) AND ${EXCEPTION_MATCHING}
      ${table === 'exceptions_open' ? "AND e.status <> 'closed'" : ''} ORDER BY e.place`;
    return {
      page: database.prepare<unknown[], ExceptionRow>(
        `${EXCEPTION_SELECT.replace('exceptions e', source)} ${within} LIMIT @limit`,
      ),
      values: database.prepare<unknown[], Values>(`
        SELECT e.code, e.currency, e.ours, e.theirs, e.variance, e.effect
        FROM ${source} LEFT JOIN exception_resolutions r ON r.id = e.resolution_id ${within}`),
      end: database
        .prepare<[string], string>(`
          SELECT e.place FROM ${source} WHERE e.place > ? ${table === 'exceptions_open' ? "AND e.status <> 'closed'" : ''}
          ORDER BY e.place LIMIT 1 OFFSET ${WINDOW - 1}`)
        .pluck(),
    };
  };
  const lists = { open: of('exceptions_open'), all: of('exceptions_place') };
  /** The places behind `after`, window by window; null in the last one. */
  async function* windows(list: (typeof lists)['open'], after: string) {
    const endOf = guarded(database, (place: string) => list.end.get(place) ?? null);
    for (let start = after; ; ) {
      const until = endOf(start);
      yield { after: start, until };
      if (until === null) return;
      start = until;
      await nextTurn();
    }
  }

  /** The values of all that match, window by window. */
  async function* valuesOf(filter: ExceptionFilter): AsyncGenerator<readonly Values[]> {
    const list = listOf(lists, filter);
    const parameters = exceptionParameters(filter);
    const read = guarded(database, (window: object) => list.values.all({ ...parameters, ...window }));
    for await (const window of windows(list, '')) yield read(window);
  }

  return {
    async exceptions(filter, { after, limit }) {
      const list = listOf(lists, filter);
      const parameters = exceptionParameters(filter);
      const read = guarded(database, (window: object, most: number) =>
        list.page.all({ ...parameters, ...window, limit: most }),
      );
      const rows: ExceptionRow[] = [];
      for await (const window of windows(list, placeBefore(after))) {
        rows.push(...read(window, limit + 1 - rows.length));
        if (rows.length > limit) break;
      }
      const shown: Exception[] = rows.slice(0, limit).map(exceptionFromRow);
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      return { rows: shown, next: last === undefined ? null : (last.place as Cursor) };
    },

    async exceptionTotals(filter) {
      const sums = new ExceptionSums();
      for await (const values of valuesOf(filter)) for (const one of values) sums.add(one);
      return sums.totals();
    },

    async exceptionKinds(filter) {
      const kinds = new Map<string, ExceptionSums>();
      for await (const values of valuesOf(filter)) {
        for (const one of values) {
          const sums = kinds.get(one.code) ?? new ExceptionSums();
          kinds.set(one.code, sums);
          sums.add(one);
        }
      }
      return [...kinds]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .flatMap(([code, sums]) => sums.totals().map((total) => ({ code, ...total })));
    },
  };
}

function listOf<List>(lists: { open: List; all: List }, { statuses }: ExceptionFilter): List {
  return statuses?.includes('closed') ? lists.all : lists.open;
}
