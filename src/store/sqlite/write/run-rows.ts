import type { KeptBreak, KeptMatch } from '../../runs.ts';
import type { Database } from '../engine/database.ts';
import { BREAK_COLUMNS, rowFromBreak } from '../rows/breaks.ts';

/** Keeps matches and breaks of a run that is being written. The caller holds the transaction. */
export function runRowWrites(database: Database) {
  const next = (table: string) =>
    database
      .prepare<[], number>(`SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0) + 1`)
      .pluck();
  const nextMatch = next('kept_matches');
  const nextBreak = next('kept_breaks');
  // Without a line that was removed since it was matched.
  const keepMatch = database.prepare(`
    INSERT INTO kept_matches (run_id, batch, leg, kind, record_id, reference, pass, state, line_id)
    SELECT ?, ?, ?, ?, ?, ?, ?, ?, id FROM imported_lines WHERE id = ?`);
  const endMatch = database.prepare<{ run: number; id: number }>(`
    UPDATE kept_matches SET ended_in = @run
    WHERE id = @id AND removed_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM reconciliation_runs WHERE id = ended_in AND finished_at IS NOT NULL)`);
  const keepBreak = database.prepare(`
    INSERT INTO kept_breaks (run_id, batch, ${BREAK_COLUMNS.join(', ')})
    VALUES (@run, @batch, ${BREAK_COLUMNS.map((column) => `@${column}`).join(', ')})`);

  return {
    /** Where the rows of a new run begin. */
    next: () => ({ firstMatch: nextMatch.get() as number, firstBreak: nextBreak.get() as number }),

    keepMatches(run: number, matches: readonly KeptMatch[]): void {
      const batch = nextMatch.get();
      for (const { leg, kind, recordId, reference, pass, state, lineId } of matches) {
        keepMatch.run(run, batch, leg, kind, recordId, reference, pass, state, lineId);
      }
    },

    endMatches(run: number, ids: readonly number[]): void {
      for (const id of ids) endMatch.run({ run, id });
    },

    keepBreaks(run: number, breaks: readonly KeptBreak[]): void {
      const batch = nextBreak.get();
      for (const one of breaks) keepBreak.run({ ...rowFromBreak(one), run, batch });
    },
  };
}
