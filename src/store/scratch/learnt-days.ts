import type { Database } from 'better-sqlite3';
import type { RecordKind } from '../../domain/records/lifecycle.ts';

/** A record without a stated time at which its money moved. */
export interface LearntRow {
  readonly kind: RecordKind;
  readonly recordId: number;
  /** When its status was learnt. */
  readonly learntOn: string;
  /** The date of its line. */
  readonly placedOn: string;
}

/** Records that the date of their line places, in one leg, where that is another day than the one on which they were learnt. */
export function learntRows(database: Database, leg: number): LearntRow[] {
  return database
    .prepare<[number], LearntRow>(`
      SELECT o.kind, o.record_id AS recordId, o.day AS learntOn, min(t.date) AS placedOn
      FROM ours o JOIN taken c ON c.leg = ? AND c.ours = o.id JOIN theirs t ON t.id = c.line AND t.type = o.kind
      WHERE o.is_day_learnt = 1 AND o.record_id IS NOT NULL AND c.line NOT IN (SELECT line FROM doubtful)
      GROUP BY o.id HAVING placedOn <> o.day ORDER BY o.kind, o.reference, o.environment`)
    .all(leg);
}
