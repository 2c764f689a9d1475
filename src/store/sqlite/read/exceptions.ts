import type { Exception, ExceptionArchive, ExceptionLogEntry, ExceptionProgress } from '../../exceptions.ts';
import type { Database } from '../engine/database.ts';
import { guarded, snapshot } from '../engine/reading.ts';
import {
  EXCEPTION_OF_ID,
  EXCEPTION_SELECT,
  type ExceptionRow,
  exceptionFromRow,
  type LogRow,
  logFromRow,
  PROGRESS_SELECT,
  type ProgressRow,
  progressFromRow,
} from '../rows/exceptions.ts';
import { claimPaymentReads } from './claim-payments.ts';
import { exceptionLists } from './exception-lists.ts';
import { heldRecordExceptionReads } from './held-exceptions.ts';

/** Reads the queue of exceptions. */
export function exceptionReads(database: Database): ExceptionArchive {
  const one = database.prepare<[string], ExceptionRow>(`${EXCEPTION_SELECT} ${EXCEPTION_OF_ID}`);
  const naming = database.prepare<[string], ExceptionRow>(`${EXCEPTION_SELECT} WHERE e.reference = ? ORDER BY e.place`);
  const log = database.prepare<[string], LogRow>(`
    SELECT g.version, g.at, g.who, g.act, g.before, g.after, g.run_id, g.assignee, c.text, g.comment_id, r.resolution, r.reason_code,
      r.reference, r.follow_up, r.attachments, r.lines, g.ours, g.theirs, g.variance, g.effect
    FROM exceptions e JOIN exception_log g ON g.exception_number = e.number
      LEFT JOIN exception_comments c ON c.id = g.comment_id
      LEFT JOIN exception_resolutions r ON r.id = g.resolution_id
    WHERE e.id = ? ORDER BY g.version`);
  const progress = database.prepare<[string], ProgressRow>(
    `${PROGRESS_SELECT} WHERE e.id IN (SELECT value FROM json_each(?))`,
  );
  const sheet = database.prepare<[string], { file: string; by: string; atMs: number }>(
    'SELECT file, imported_by AS "by", imported_at AS atMs FROM exception_sheets WHERE digest = ?',
  );
  const following = database
    .prepare<[], 0 | 1>("SELECT EXISTS (SELECT 1 FROM run_follows WHERE phase <> 'done')")
    .pluck();

  const exception = guarded(database, (id: string): Exception | null => {
    const row = one.get(id);
    return row === undefined ? null : exceptionFromRow(row);
  });
  const exceptionLog = snapshot(database, (id: string): ExceptionLogEntry[] => log.all(id).map(logFromRow));
  const progressOf = guarded(database, (ids: readonly string[]): ExceptionProgress[] =>
    progress.all(JSON.stringify(ids)).map(progressFromRow),
  );

  return {
    ...exceptionLists(database),
    heldRecordExceptions: heldRecordExceptionReads(database),
    exception: async (id) => exception(id),
    exceptionLog: async (id) => exceptionLog(id),
    exceptionProgress: async (ids) => progressOf(ids),
    claimPayments: claimPaymentReads(database),
    exceptionsNaming: async (reference) => guarded(database, () => naming.all(reference).map(exceptionFromRow))(),
    exceptionSheet: async (digest) => guarded(database, () => sheet.get(digest) ?? null)(),
    isFollowing: async () => guarded(database, () => following.get() === 1)(),
  };
}
