import type { Database } from 'better-sqlite3';
import type { Environment } from '../../domain/environment.ts';
import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
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

    /** Records that changed since a close and are of days before `from`, by their own day or by that of a line that names them. */
    changed: (from: string): ChangedRecord[] =>
      database
        .prepare<{ from: string }, ChangedRecord>(`
          WITH older AS MATERIALIZED (SELECT reference, session_id FROM theirs WHERE coalesce(own_date, date) < @from)
          SELECT id, kind, environment, currency, record_id AS recordId FROM ours
          WHERE changed_since = 1 AND record_id IS NOT NULL AND (day < @from OR start_day < @from OR is_day_learnt = 1
            AND (reference IN (SELECT reference FROM older) OR session_id IN (SELECT session_id FROM older)))
          ORDER BY id`)
        .all({ from }),

    ofKind: (kind: OurKind): OurRow[] =>
      database
        .prepare<[OurKind], Record<string, unknown>>(`SELECT ${OURS} FROM ours o WHERE o.kind = ? ORDER BY o.id`)
        .safeIntegers()
        .all(kind)
        .map(ourRow),

    /** Rows of ours that count on another day than their own: so far those made of late lines. */
    posted: (): number[] =>
      database.prepare<[], number>('SELECT id FROM ours WHERE posts_on IS NOT NULL ORDER BY id').pluck().all(),

    /** Notes on which day a late row counts. */
    post(id: number, day: string): void {
      database.prepare<[string, number]>('UPDATE ours SET posts_on = ? WHERE id = ?').run(day, id);
    },

    /** The groups of these rows of ours and lines are judged, however clean they look; before the passes. Returns those that are there. */
    judge({ ours, lines }: JudgedNames): JudgedNames {
      const markRows = database.prepare<[string], JudgedNames['ours'][number]>(`
        UPDATE ours SET is_judged = 1 WHERE id IN (
          SELECT o.id FROM json_each(?) n CROSS JOIN ours o
            ON o.reference = n.value ->> 'reference' AND o.environment = n.value ->> 'environment' AND o.kind = n.value ->> 'kind')
        RETURNING kind, environment, reference`);
      const markLines = database.prepare<[string], JudgedNames['lines'][number]>(`
        UPDATE theirs SET is_judged = 1 WHERE (fingerprint, occurrence, account) IN (
          SELECT unhex(value ->> 'fingerprint'), value ->> 'occurrence', value ->> 'account' FROM json_each(?))
        RETURNING account, lower(hex(fingerprint)) AS fingerprint, occurrence`);
      return {
        ours: ours.length > 0 ? markRows.all(JSON.stringify(ours)) : [],
        lines: lines.length > 0 ? markLines.all(JSON.stringify(lines)) : [],
      };
    },
  };
}

/** Rows of ours and lines, by what they are in every run; a fingerprint in hex. */
export interface JudgedNames {
  readonly ours: readonly Pick<OurRow, 'kind' | 'environment' | 'reference'>[];
  readonly lines: readonly Pick<TheirLine, 'account' | 'fingerprint' | 'occurrence'>[];
}
