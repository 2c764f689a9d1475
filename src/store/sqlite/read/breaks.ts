import type { Page } from '../../records.ts';
import type { BreakFilter, FoundBreak, RunArchive } from '../../runs.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';
import { BREAK_COLUMNS, type BreakRow, breakFromRow } from '../rows/breaks.ts';
import { idsInBatches } from './in-batches.ts';
import { countRows, finite, type IdRange, pageRange, scan } from './scan.ts';

interface PlacedRow extends BreakRow {
  readonly place: number;
  readonly run_id: number;
}

type Parameters = IdRange & {
  codes: string | null;
  leg: string | null;
  environment: string | null;
  account: string | null;
  wanted: string | null;
};

const NOTHING: IdRange = { first: 1, last: 0 };

/** Reads the breaks of whole runs. */
export function breakReads(
  database: Database,
  lastRun: () => number,
): Pick<RunArchive, 'breaks' | 'countBreaks' | 'breakOf'> {
  const columns = `id AS place, run_id, ${BREAK_COLUMNS.join(', ')}`;
  const matching = `FROM kept_breaks
    WHERE id BETWEEN @first AND @last AND (@codes IS NULL OR code IN (SELECT value FROM json_each(@codes)))
      AND (@leg IS NULL OR leg = @leg) AND (@environment IS NULL OR environment = @environment)
      AND (@account IS NULL OR account = @account)`;
  const named = `AND id IN (${idsInBatches('kept_breaks', 'reference')})`;
  const unnamed = 'AND @wanted IS NULL';
  const pageIn = (naming: string, direction: 'ASC' | 'DESC') =>
    database.prepare<Parameters & { limit: number }, PlacedRow>(
      `SELECT ${columns} ${matching} ${naming} ORDER BY id ${direction} LIMIT @limit`,
    );
  const pages = {
    newest: { all: pageIn(unnamed, 'DESC'), named: pageIn(named, 'DESC') },
    oldest: { all: pageIn(unnamed, 'ASC'), named: pageIn(named, 'ASC') },
  };
  const counting = (naming: string) =>
    database.prepare<Parameters, number>(`SELECT count(*) ${matching} ${naming}`).pluck();
  const counts = { all: counting(unnamed), named: counting(named) };
  const boundsOf = database.prepare<[number], IdRange>(`
    SELECT first_break AS first, first_break + breaks - 1 AS last
    FROM reconciliation_runs WHERE id = ? AND finished_at IS NOT NULL`);
  // Carried ones come after all others, and end where the next run begins.
  const carriedOf = database.prepare<[number], IdRange>(`
    SELECT r.first_break + r.breaks AS first, coalesce(
        (SELECT first_break FROM reconciliation_runs WHERE id > r.id ORDER BY id LIMIT 1) - 1,
        (SELECT max(id) FROM kept_breaks), 0) AS last
    FROM reconciliation_runs r WHERE r.id = ? AND r.finished_at IS NOT NULL`);
  const latest = database.prepare<{ wanted: string }, PlacedRow>(`
    SELECT ${columns} FROM kept_breaks
    WHERE id IN (${idsInBatches('kept_breaks', 'break_id')}) AND run_id IN (SELECT id FROM runs) ORDER BY id DESC LIMIT 1`);

  const range = guarded(
    database,
    ({ run = lastRun(), carried = false }: BreakFilter): IdRange =>
      (carried ? carriedOf : boundsOf).get(run) ?? NOTHING,
  );
  const page = guarded(database, (filter: BreakFilter, order: Page['order'], ids: IdRange, limit: number) =>
    pages[order][filter.reference === undefined ? 'all' : 'named']
      .all({ ...parametersOf(filter), ...ids, limit })
      .map(found),
  );
  const count = guarded(
    database,
    (filter: BreakFilter, ids: IdRange) =>
      counts[filter.reference === undefined ? 'all' : 'named'].get({ ...parametersOf(filter), ...ids }) ?? 0,
  );
  const breakOf = guarded(database, (wanted: string): FoundBreak | null => {
    const row = latest.get({ wanted });
    return row === undefined ? null : found(row);
  });

  return {
    async breaks(filter, order) {
      const ids = range(filter);
      if (filter.reference === undefined) {
        return scan(ids, order, (part, limit) => page(filter, order.order, part, limit));
      }
      return page(filter, order.order, pageRange(ids, order), finite(order.limit));
    },
    async countBreaks(filter) {
      const ids = range(filter);
      return filter.reference === undefined ? countRows(ids, (part) => count(filter, part)) : count(filter, ids);
    },
    breakOf: async (id) => breakOf(id),
  };
}

function found({ place, run_id, ...columns }: PlacedRow): FoundBreak {
  return { place, run: run_id, ...breakFromRow(columns) };
}

function parametersOf({ codes, leg, environment, account, reference }: BreakFilter) {
  return {
    codes: codes === undefined ? null : JSON.stringify(codes),
    leg: leg ?? null,
    environment: environment ?? null,
    account: account ?? null,
    wanted: reference ?? null,
  };
}
