import type { Touched } from '../../../domain/audit/touched.ts';
import { isStillCarried } from '../../../domain/exceptions/carried-until.ts';
import { stateAfter } from '../../../domain/exceptions/transitions.ts';
import type { PeriodState } from '../../../domain/periods/period.ts';
import type { Timed } from '../../../time/clock.ts';
import type { Database } from '../engine/database.ts';
import type { AuditWrites } from './audit.ts';
import { exceptionRows, type StoredException } from './exception-rows.ts';

interface ReopenedPeriod extends Timed {
  readonly set: string;
  readonly period: string;
  readonly by: string;
}

/** SQL: exception `e`, carried until a day, belongs to the days and the accounts of period `p`. */
const isOfPeriod = (until: string) => `p.environment = e.environment AND ${until} BETWEEN p.from_day AND p.to_day
  AND (p.accounts IS NULL OR e.account IS NULL OR e.account IN (SELECT value FROM json_each(p.accounts)))`;

/**
 * Resolves what was carried out of a period again when the period is opened again: a run of later days had found it open, which is a
 * matter of the next period. What a person or a run changed since stays as it is. The caller holds the transaction.
 */
export function carryingAgain(database: Database, audit: Pick<AuditWrites, 'digestOf'>) {
  const rows = exceptionRows(database);
  const ended = database.prepare<{ set: string; period: string }, { id: string; resolutionId: number }>(`
    SELECT e.id, g.resolution_id AS resolutionId
    FROM periods p JOIN exceptions e ON e.environment = p.environment AND e.status IN ('open', 'assigned')
      JOIN exception_log g ON g.exception_number = e.number AND g.act = 'carried'
      JOIN exception_resolutions r ON r.id = g.resolution_id
    WHERE p.set_name = @set AND p.name = @period AND ${isOfPeriod('r.carried_until')}
      AND NOT EXISTS (SELECT 1 FROM exception_log s
        WHERE s.exception_number = e.number AND s.version > g.version AND s.act NOT IN ('assign', 'comment'))
    ORDER BY e.id`);

  return ({ set, period, by, nowMs }: ReopenedPeriod): Touched[] =>
    ended.all({ set, period }).flatMap(({ id, resolutionId }) => {
      const known = rows.one(id);
      const after = known === null ? null : stateAfter(known.status, 'carried_again');
      if (known === null || after === null) return [];
      const subject = `exception:${id}`;
      const before = audit.digestOf(subject);
      const { number, version, status, assignee, comment_id: commentId } = known;
      rows.stand({ number, status: after, assignee, resolutionId, commentId, by, nowMs });
      const entry = {
        number,
        version: version + 1,
        nowMs,
        who: by,
        act: 'carried_again',
        before: status,
        after,
      } as const;
      rows.log({ ...entry, run: null, assignee, commentId: null, resolutionId });
      return [{ subject, before, after: audit.digestOf(subject) }];
    });
}

/** Whether a run that begins on a day leaves an exception carried: its period is open. */
export function openCarries(
  database: Database,
): (one: Pick<StoredException, 'number' | 'carried_until'>, from: string) => boolean {
  const states = database
    .prepare<{ number: number; until: string | null }, PeriodState>(`
      SELECT p.state FROM exceptions e JOIN periods p ON ${isOfPeriod('(SELECT @until)')} WHERE e.number = (SELECT @number)`)
    .pluck();
  return ({ number, carried_until: until }, from) =>
    until !== null && isStillCarried({ until, from, states: states.all({ number, until }) });
}
