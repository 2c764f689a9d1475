import type { Database } from 'better-sqlite3';
import type { OurRow } from '../../domain/matching/rows.ts';
import type { OurKind, Pass } from '../../domain/reconciling/rules.ts';
import { LINES, type LooseLine, looseLine, OURS, ourRow } from './open-rows.ts';

/** A row of ours with its keys. */
export interface TriedRow extends OurRow {
  readonly sessionId: string | null;
}

/** A line, and the row of ours for which a pass took it. */
export interface TriedLine extends LooseLine {
  /** Null: nothing took it. */
  readonly takenFor: number | null;
}

/** A match that a run suggested: a person decides. */
export interface SuggestedMatch {
  readonly line: number;
  readonly leg: string;
  readonly kind: OurKind;
  readonly reference: string;
  readonly pass: Pass;
}

type Row = Readonly<Record<string, unknown>>;

/** Everything in a small scratch database, after the passes, ordered by content. */
export function triedRows(database: Database) {
  return {
    rows: (): TriedRow[] =>
      database
        .prepare<[], Row>(`
          SELECT ${OURS}, o.session_id AS sessionId FROM ours o
          ORDER BY o.environment, o.kind, o.reference, o.currency`)
        .safeIntegers()
        .all()
        .map((row) => ourRow(row) as TriedRow),

    lines: (): TriedLine[] =>
      database
        .prepare<[], Row>(`
          SELECT ${LINES}, c.pass, c.ours AS takenFor FROM theirs t LEFT JOIN taken c ON c.line = t.id
          ORDER BY t.date, t.fingerprint, t.occurrence`)
        .safeIntegers()
        .all()
        .map((row) => ({ ...looseLine(row), takenFor: row.takenFor === null ? null : Number(row.takenFor) })),

    suggested: (): SuggestedMatch[] =>
      database
        .prepare<[], SuggestedMatch>(`
          SELECT line, leg, kind, reference, pass FROM known WHERE state = 'suggested' ORDER BY line, reference`)
        .all(),
  };
}
