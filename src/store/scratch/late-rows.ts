import type { Database } from 'better-sqlite3';
import type { Environment } from '../../domain/environment.ts';
import type { OurRow } from '../../domain/matching/rows.ts';
import type { OurKind } from '../../domain/reconciling/rules.ts';
import { OURS, ourRow } from './open-rows.ts';

/** Where rows of a closed period that came after its close stand instead. */
export interface LateDays {
  /** The last day that is closed. */
  readonly to: string;
  /** The first one that is open. */
  readonly postsOn: string;
}

/** A record that changed since a period was closed. */
export interface ChangedRecord {
  readonly id: number;
  readonly kind: OurKind;
  readonly environment: Environment;
  readonly currency: string;
  readonly recordId: number;
}

/** Moves what is dated in a closed period and came after its close to the first open day; the passes come later. */
export function lateRows(database: Database) {
  return {
    /** Lines of these statements, those that were moved already left out. */
    moveLines(statements: readonly number[], days: LateDays): void {
      database
        .prepare(`
          UPDATE theirs SET own_date = date, date = @postsOn
          WHERE statement IN (SELECT value FROM json_each(@statements)) AND date <= @to AND own_date IS NULL`)
        .run({ statements: JSON.stringify(statements), ...days });
    },

    /** The own dates of lines that were moved. */
    lines(): Map<number, string> {
      const moved = database
        .prepare<[], [number, string]>('SELECT id, own_date FROM theirs WHERE own_date IS NOT NULL')
        .raw()
        .all();
      return new Map(moved);
    },

    /** The own days of rows of ours that were moved. */
    rows(): Map<number, string> {
      const moved = database
        .prepare<[], [number, string]>('SELECT id, own_day FROM ours WHERE own_day IS NOT NULL')
        .raw()
        .all();
      return new Map(moved);
    },

    /** Records that the engine marked. */
    changed: (): ChangedRecord[] =>
      database
        .prepare<[], ChangedRecord>(`
          SELECT id, kind, environment, currency, record_id AS recordId FROM ours
          WHERE changed_since = 1 AND record_id IS NOT NULL ORDER BY id`)
        .all(),

    ofKind: (kind: OurKind): OurRow[] =>
      database
        .prepare<[OurKind], Record<string, unknown>>(`SELECT ${OURS} FROM ours o WHERE o.kind = ? ORDER BY o.id`)
        .safeIntegers()
        .all(kind)
        .map(ourRow),

    /**
     * Moves those of the rows to `postsOn` that a line of closed days took: `to` and before. Their date was learnt since, so the
     * line's is their own.
     */
    moveLearnt(rows: readonly number[], days: LateDays): void {
      const moved = database
        .prepare<{ rows: string } & LateDays, number>(`
          UPDATE ours SET own_day = placed.date, day = @postsOn, is_day_learnt = 0, is_judged = 1
          FROM (SELECT c.ours AS id, min(t.date) AS date
                FROM taken c JOIN theirs t ON t.id = c.line JOIN ours o ON o.id = c.ours AND o.kind = t.type
                WHERE c.ours IN (SELECT value FROM json_each(@rows)) AND t.own_date IS NULL
                GROUP BY c.ours HAVING min(t.date) <= @to) AS placed
          WHERE ours.id = placed.id RETURNING ours.id`)
        .pluck()
        .all({ rows: JSON.stringify(rows), ...days });
      database
        .prepare<[string]>('UPDATE taken SET clean = 0 WHERE ours IN (SELECT value FROM json_each(?))')
        .run(JSON.stringify(moved));
    },

    /** `ownDay`: the row is late; null: only its hold is. */
    moveRow(row: { id: number; startDay: string; day: string; ownDay: string | null }): void {
      database
        .prepare('UPDATE ours SET start_day = @startDay, day = @day, own_day = @ownDay, is_judged = 1 WHERE id = @id')
        .run(row);
    },

    /** The group of the row is judged, however clean it looks. */
    judge(id: number): void {
      database.prepare<[number]>('UPDATE ours SET is_judged = 1 WHERE id = ?').run(id);
    },
  };
}
