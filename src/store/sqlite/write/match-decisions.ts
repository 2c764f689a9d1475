import type { MatchDecision } from '../../runs.ts';
import type { Database } from '../engine/database.ts';
import type { AuditWrites } from './audit.ts';
import type { Dated } from './books-time.ts';
import { closedDays, periodClosed } from './closed-days.ts';

/** Keeps what persons said of matches, each with its audit entry. The caller holds the transaction. */
export function matchDecisionWrites(database: Database, audit: AuditWrites) {
  const insert = database
    .prepare<Record<string, unknown>, number>(`
      INSERT INTO match_decisions (leg, account_id, date, fingerprint, occurrence, kind, environment, reference, verdict,
        decided_by, decided_at, comment)
      SELECT @leg, account_id, date, fingerprint, occurrence, @kind, @environment, @reference, @verdict, @by, @learntMs, @comment
      FROM imported_lines WHERE id = @lineId RETURNING id`)
    .pluck();
  const closed = closedDays(database);

  return {
    decide({ nowMs, learntMs, ...decision }: Omit<MatchDecision, 'atMs'> & Dated): MatchDecision | null {
      const period = closed.ofLine(decision.lineId);
      if (period !== null) {
        const act = decision.verdict === 'together' ? 'confirmed' : 'undone';
        throw periodClosed(`The match of ${decision.reference} cannot be ${act}`, period);
      }
      const id = insert.get({ ...decision, learntMs });
      if (id === undefined) return null;
      const subject = `decision:${id}`;
      const act = decision.verdict === 'together' ? 'match.confirm' : 'match.undo';
      audit.append({ who: decision.by, act, subject, before: null, after: audit.digestOf(subject), nowMs });
      return { ...decision, atMs: learntMs };
    },
  };
}
