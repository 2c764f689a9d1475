import type { Page } from '../../records.ts';
import type { MatchDecision, MatchDetail, MatchFilter, MatchSummary, RunArchive } from '../../runs.ts';
import type { Database } from '../engine/database.ts';
import { guarded, snapshot } from '../engine/reading.ts';
import { oneOf, wordsParameter } from '../rows/one-of.ts';
import { type MatchRow, matchFromRow } from '../rows/runs.ts';
import { idsInBatches } from './in-batches.ts';
import { decisionReads } from './match-decisions.ts';
import { countRows, finite, type IdRange, pageRange, scan } from './scan.ts';

type Parameters = IdRange & {
  leg: string | null;
  kinds: string | null;
  environment: string | null;
  statement: number | null;
  states: string | null;
  wanted: string | null;
};

/** Reads matches of whole runs. */
export function matchReads(database: Database): Pick<RunArchive, 'matches' | 'countMatches' | 'match' | 'decisions'> {
  const matching = `FROM matches
    WHERE id BETWEEN @first AND @last AND (@leg IS NULL OR leg = @leg) AND ${oneOf('kind', 'kinds')}
      AND (@environment IS NULL OR environment = @environment)
      AND (@statement IS NULL OR statement_id = @statement) AND ${oneOf('state', 'states')}`;
  const named = `AND id IN (${idsInBatches('kept_matches', 'reference')})`;
  const unnamed = 'AND @wanted IS NULL';
  const pageIn = (naming: string, direction: 'ASC' | 'DESC') =>
    database
      .prepare<Parameters & { limit: number }, MatchRow>(
        `SELECT * ${matching} ${naming} ORDER BY id ${direction} LIMIT @limit`,
      )
      .safeIntegers();
  const pages = {
    newest: { all: pageIn(unnamed, 'DESC'), named: pageIn(named, 'DESC') },
    oldest: { all: pageIn(unnamed, 'ASC'), named: pageIn(named, 'ASC') },
  };
  const counting = (naming: string) =>
    database.prepare<Parameters, number>(`SELECT count(*) ${matching} ${naming}`).pluck();
  const counts = { all: counting(unnamed), named: counting(named) };
  const lastId = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM kept_matches').pluck();
  const valid = database.prepare<[number], MatchRow>('SELECT * FROM matches WHERE id = ?').safeIntegers();
  const ended = database
    .prepare<[number], MatchRow & { readonly ended_in: bigint }>(`
      SELECT m.*, e.id AS ended_in, l.statement_id, l.row, a.name AS account_name, a.environment, l.date, l.currency,
        l.amount_minor
      FROM kept_matches m JOIN runs r ON r.id = m.run_id JOIN runs e ON e.id = m.ended_in
        JOIN imported_lines l ON l.id = m.line_id JOIN accounts a ON a.id = l.account_id
        JOIN imported_statements s ON s.id = l.statement_id AND s.state = 'imported'
      WHERE m.id = ?`)
    .safeIntegers();
  const decisions = decisionReads(database);

  const summary = (row: MatchRow) => {
    const match = matchFromRow(row, null);
    return { ...match, decision: decisions.lastOn(match) };
  };
  const all = guarded(database, (): IdRange => ({ first: 1, last: lastId.get() ?? 0 }));
  const page = snapshot(
    database,
    (filter: MatchFilter, order: Page['order'], ids: IdRange, limit: number): MatchSummary[] =>
      pages[order][filter.reference === undefined ? 'all' : 'named']
        .all({ ...parametersOf(filter), ...ids, limit })
        .map(summary),
  );
  const count = guarded(
    database,
    (filter: MatchFilter, ids: IdRange) =>
      counts[filter.reference === undefined ? 'all' : 'named'].get({ ...parametersOf(filter), ...ids }) ?? 0,
  );
  const match = snapshot(database, (id: number): MatchDetail | null => {
    const row = valid.get(id);
    if (row !== undefined) return { ...summary(row), endedIn: null };
    const past = ended.get(id);
    return past === undefined ? null : { ...summary(past), endedIn: Number(past.ended_in) };
  });

  return {
    async matches(filter, order) {
      if (filter.reference === undefined) {
        return scan(all(), order, (part, limit) => page(filter, order.order, part, limit));
      }
      return page(filter, order.order, pageRange(all(), order), finite(order.limit));
    },
    countMatches: async (filter) =>
      filter.reference === undefined ? countRows(all(), (part) => count(filter, part)) : count(filter, all()),
    match: async (id) => match(id),
    decisions: async (): Promise<MatchDecision[]> => guarded(database, decisions.all)(),
  };
}

function parametersOf({ leg, kinds, environment, reference, statement, states }: MatchFilter) {
  return {
    leg: leg ?? null,
    kinds: wordsParameter(kinds),
    environment: environment ?? null,
    statement: statement ?? null,
    states: wordsParameter(states),
    wanted: reference ?? null,
  };
}
