import type { Timed } from '../../../time/clock.ts';
import type { Database } from '../engine/database.ts';

interface GoneLine extends Timed {
  readonly lineId: number;
}

/** Ends the matches of a line that is about to be deleted; they stay in the log with the place where it stood. */
export function matchUndoing(database: Database): (line: GoneLine) => number {
  const undo = database
    .prepare<GoneLine, 0 | 1>(`
      UPDATE kept_matches SET line_id = NULL, removed_at = @nowMs,
        removed_statement = (SELECT statement_id FROM imported_lines WHERE id = @lineId),
        removed_row = (SELECT row FROM imported_lines WHERE id = @lineId)
      WHERE line_id = @lineId
      RETURNING EXISTS (SELECT 1 FROM reconciliation_runs r WHERE r.id = run_id AND r.finished_at IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM reconciliation_runs e WHERE e.id = ended_in AND e.finished_at IS NOT NULL)`)
    .pluck();

  /** Returns how many of them were valid. The caller holds the transaction. */
  return (line) => undo.all(line).filter((wasValid) => wasValid === 1).length;
}
