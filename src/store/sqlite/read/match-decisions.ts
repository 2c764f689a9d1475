import type { MatchDecision, MatchSummary } from '../../runs.ts';
import type { Database } from '../engine/database.ts';

/** The row of ours and the line of a match. */
export type Pair = Pick<MatchSummary, 'leg' | 'lineId' | 'kind' | 'environment' | 'reference'>;

/** A decision `d` is about the line `l`. */
export const SAME_LINE =
  'd.account_id = l.account_id AND d.date = l.date AND d.fingerprint = l.fingerprint AND d.occurrence = l.occurrence';

/** Reads what persons said of matches. The caller guards, and holds the snapshot. */
export function decisionReads(database: Database) {
  const last = database.prepare<Pair, NonNullable<MatchSummary['decision']>>(`
    SELECT d.verdict, d.decided_by AS "by", d.decided_at AS atMs, d.comment
    FROM imported_lines l JOIN match_decisions d ON ${SAME_LINE}
    WHERE l.id = @lineId AND d.leg = @leg AND d.kind = @kind AND d.environment = @environment AND d.reference = @reference
    ORDER BY d.id DESC LIMIT 1`);
  const all = database.prepare<[], MatchDecision>(`
    SELECT d.leg, l.id AS lineId, d.kind, d.environment, d.reference, d.verdict, d.decided_by AS "by", d.decided_at AS atMs,
      d.comment
    FROM match_decisions d CROSS JOIN imported_lines l ON ${SAME_LINE} JOIN accounts a ON a.id = d.account_id
      JOIN imported_statements s ON s.id = l.statement_id
    WHERE a.environment = d.environment AND s.state IN ('imported', 'removing') AND d.id = (
      SELECT max(same.id) FROM match_decisions same
      WHERE same.account_id = d.account_id AND same.date = d.date AND same.fingerprint = d.fingerprint
        AND same.occurrence = d.occurrence AND same.leg = d.leg AND same.kind = d.kind
        AND same.environment = d.environment AND same.reference = d.reference)
    ORDER BY d.id`);

  return {
    /** The last word on a pair; null: none. */
    lastOn({ leg, lineId, kind, environment, reference }: Pair): MatchSummary['decision'] {
      return last.get({ leg, lineId, kind, environment, reference }) ?? null;
    },

    /** The last word on each pair. */
    all: (): MatchDecision[] => all.all(),
  };
}
