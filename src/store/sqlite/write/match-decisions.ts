import type { Timed } from '../../../time/clock.ts';
import type { MatchDecision } from '../../runs.ts';
import type { Database } from '../engine/database.ts';

/** Keeps what persons said of matches. The caller holds the transaction. */
export function matchDecisionWrites(database: Database) {
  const insert = database.prepare(`
    INSERT INTO match_decisions (leg, account_id, date, fingerprint, occurrence, kind, environment, reference, verdict,
      decided_by, decided_at, comment)
    SELECT @leg, account_id, date, fingerprint, occurrence, @kind, @environment, @reference, @verdict, @by, @nowMs, @comment
    FROM imported_lines WHERE id = @lineId`);

  return {
    decide({ nowMs, ...decision }: Omit<MatchDecision, 'atMs'> & Timed): MatchDecision | null {
      return insert.run({ ...decision, nowMs }).changes === 1 ? { ...decision, atMs: nowMs } : null;
    },
  };
}
