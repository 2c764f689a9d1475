import type { Touched } from '../../../domain/audit/touched.ts';
import { stateAfter } from '../../../domain/exceptions/transitions.ts';
import { lateCloseText } from '../../../domain/periods/late-close.ts';
import type { Timed } from '../../../time/clock.ts';
import type { CloseOrder } from '../../periods.ts';
import type { Database } from '../engine/database.ts';
import { namesColumn } from '../rows/periods.ts';
import type { AuditWrites } from './audit.ts';
import { exceptionRows } from './exception-rows.ts';

/**
 * Closes what came late for closed periods and stands in a period that is being closed: its figures have taken it in. The caller
 * holds the transaction; each takes a third of a millisecond.
 */
export function lateClosing(database: Database, audit: Pick<AuditWrites, 'digestOf'>) {
  const rows = exceptionRows(database);
  const late = database
    .prepare<{ environment: string; accounts: string | null; to: string }, string>(`
      SELECT id FROM exceptions
      WHERE code = 'late_arrival' AND status <> 'closed' AND environment = @environment AND date <= @to
        AND (@accounts IS NULL OR account IS NULL OR account IN (SELECT value FROM json_each(@accounts)))
      ORDER BY id`)
    .pluck();

  return ({ set, period, to, run, by, nowMs }: CloseOrder & Timed): Touched[] =>
    late.all({ environment: set.environment, accounts: namesColumn(set.accounts), to }).map((id) => {
      const subject = `exception:${id}`;
      const before = audit.digestOf(subject);
      const known = rows.one(id);
      const after = known === null ? null : stateAfter(known.status, 'gone');
      if (known !== null && after !== null) {
        const { number, version, status, assignee, resolution_id: resolutionId } = known;
        const commentId = rows.comment({ number, text: lateCloseText(period), by, nowMs });
        rows.stand({ number, status: after, assignee, resolutionId, commentId, by, nowMs });
        const entry = {
          number,
          version: version + 1,
          nowMs,
          who: by,
          act: 'gone',
          before: status,
          after,
          run,
        } as const;
        rows.log({ ...entry, assignee, commentId, resolutionId });
      }
      return { subject, before, after: audit.digestOf(subject) };
    });
}
