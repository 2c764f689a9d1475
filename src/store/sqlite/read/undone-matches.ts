import type { Page } from '../../records.ts';
import type { RunArchive, UndoneFilter, UndoneMatch } from '../../runs.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';
import { oneOf, wordsParameter } from '../rows/one-of.ts';
import { type UndoneRow, undoneFromRow } from '../rows/runs.ts';
import { SAME_LINE } from './match-decisions.ts';
import { finite, type IdRange, pageRange } from './scan.ts';

type Parameters = IdRange & {
  leg: string | null;
  kinds: string | null;
  environment: string | null;
  statement: number | null;
  reference: string | null;
};

/** Reads pairs of a line that shows and a row of ours whose last decision is that they do not belong together. */
export function undoneReads(database: Database): Pick<RunArchive, 'undoneMatches' | 'countUndoneMatches'> {
  const matching = `
    FROM match_decisions d JOIN accounts a ON a.id = d.account_id CROSS JOIN imported_lines l ON ${SAME_LINE}
      JOIN statement_lines s ON s.id = l.id
      LEFT JOIN kept_matches m ON m.id = (
        SELECT max(k.id) FROM kept_matches k JOIN runs r ON r.id = k.run_id
        WHERE k.line_id = l.id AND k.leg = d.leg AND k.kind = d.kind AND k.reference = d.reference)
    WHERE d.id BETWEEN @first AND @last AND d.verdict = 'apart' AND a.environment = d.environment
      AND (@leg IS NULL OR d.leg = @leg) AND ${oneOf('d.kind', 'kinds')}
      AND (@environment IS NULL OR d.environment = @environment) AND (@reference IS NULL OR d.reference = @reference)
      AND (@statement IS NULL OR s.statement_id = @statement)
      AND NOT EXISTS (
        SELECT 1 FROM match_decisions later
        WHERE later.account_id = d.account_id AND later.date = d.date AND later.fingerprint = d.fingerprint
          AND later.occurrence = d.occurrence AND later.leg = d.leg AND later.kind = d.kind
          AND later.environment = d.environment AND later.reference = d.reference AND later.id > d.id)`;
  const pageIn = (direction: 'ASC' | 'DESC') =>
    database
      .prepare<Parameters & { limit: number }, UndoneRow>(`
        SELECT d.id, m.id AS match_id, m.run_id, m.pass, m.record_id, d.leg, d.kind, d.reference, d.environment,
          l.id AS line_id, s.statement_id, s.row, s.account_name, s.date, s.currency, s.amount_minor,
          d.decided_by, d.decided_at, d.comment
        ${matching} ORDER BY d.id ${direction} LIMIT @limit`)
      .safeIntegers();
  const pages = { newest: pageIn('DESC'), oldest: pageIn('ASC') };
  const count = database.prepare<Parameters, number>(`SELECT count(*) ${matching}`).pluck();
  const lastId = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM match_decisions').pluck();
  const all = (): IdRange => ({ first: 1, last: lastId.get() ?? 0 });

  const page = guarded(database, (filter: UndoneFilter, order: Page): UndoneMatch[] =>
    pages[order.order]
      .all({ ...parametersOf(filter), ...pageRange(all(), order), limit: finite(order.limit) })
      .map(undoneFromRow),
  );
  const counted = guarded(database, (filter: UndoneFilter) => count.get({ ...parametersOf(filter), ...all() }) ?? 0);

  return {
    undoneMatches: async (filter, order) => page(filter, order),
    countUndoneMatches: async (filter) => counted(filter),
  };
}

function parametersOf({ leg, kinds, environment, statement, reference }: UndoneFilter) {
  return {
    leg: leg ?? null,
    kinds: wordsParameter(kinds),
    environment: environment ?? null,
    statement: statement ?? null,
    reference: reference ?? null,
  };
}
