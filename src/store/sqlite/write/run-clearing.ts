import { RUNS_WITH_BREAKS } from '../../runs.ts';
import type { Database } from '../engine/database.ts';

interface LeftRow {
  readonly id: number;
  /** It was given up: its matches count no more. */
  readonly died: 0 | 1;
  readonly firstMatch: number;
  readonly firstBreak: number;
  /** Where the rows of the next run begin; null: it is the last one. */
  readonly nextMatch: number | null;
  readonly nextBreak: number | null;
}

/** Rows deleted by one call: to delete a row takes as long as to keep it. */
const MOST_ROWS_CLEARED = 500;

/**
 * Deletes what runs left that count no more, MOST_ROWS_CLEARED rows per call: everything of a run that died, and the breaks and
 * open groups of a whole run that is neither one of the latest nor the last one of its scope, and that no closing of a period froze. The caller
 * holds the transaction.
 */
export function runClearing(database: Database) {
  const left = database.prepare<[], LeftRow>(`
    SELECT r.id, r.finished_at IS NULL AS died, r.first_match AS firstMatch, r.first_break AS firstBreak,
      later.first_match AS nextMatch, later.first_break AS nextBreak
    FROM reconciliation_runs r
      LEFT JOIN reconciliation_runs later ON later.id = (SELECT min(id) FROM reconciliation_runs WHERE id > r.id)
    WHERE r.cleared = 0 AND r.leased_until IS NULL AND (r.finished_at IS NULL OR (
      r.id < (SELECT min(id) FROM (SELECT id FROM runs ORDER BY id DESC LIMIT ${RUNS_WITH_BREAKS}))
      AND EXISTS (SELECT 1 FROM reconciliation_runs same
        WHERE same.what = r.what AND same.environment IS r.environment AND same.account IS r.account AND same.id > r.id
          AND same.finished_at IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM period_closings p WHERE p.run_id = r.id)))
    ORDER BY r.id LIMIT 1`);
  const cleared = database.prepare<[number]>('UPDATE reconciliation_runs SET cleared = 1 WHERE id = ?');
  const dropFrom = (table: string) =>
    database.prepare<{ first: number; next: number | null; most: number }>(`
      DELETE FROM ${table} WHERE id IN (
        SELECT id FROM ${table} WHERE id >= @first AND (@next IS NULL OR id < @next) ORDER BY id LIMIT @most)`);
  const dropMatches = dropFrom('kept_matches');
  const dropBreaks = dropFrom('kept_breaks');
  const dropGroups = database.prepare<{ run: number; most: number }>(`
    DELETE FROM period_groups WHERE id IN (SELECT id FROM period_groups WHERE run_id = @run ORDER BY id LIMIT @most)`);

  return (): { done: boolean } => {
    const run = left.get();
    if (run === undefined) return { done: true };
    const { firstMatch, nextMatch, firstBreak, nextBreak } = run;
    const matches =
      run.died === 1 ? dropMatches.run({ first: firstMatch, next: nextMatch, most: MOST_ROWS_CLEARED }).changes : 0;
    const most = MOST_ROWS_CLEARED - matches;
    const breaks = most > 0 ? dropBreaks.run({ first: firstBreak, next: nextBreak, most }).changes : 0;
    const rest = most - breaks;
    const groups = rest > 0 ? dropGroups.run({ run: run.id, most: rest }).changes : 0;
    if (matches + breaks + groups < MOST_ROWS_CLEARED) cleared.run(run.id);
    return { done: false };
  };
}
