import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReconciliationArchive } from '../../../reconciliation.ts';
import type { Database } from '../../engine/database.ts';
import { snapshot } from '../../engine/reading.ts';
import { cursorBehind, textBefore } from '../../rows/cursor.ts';

/** Sessions read by one statement. */
const AT_ONCE = 500;

/** Reads the session ids that several payouts carry. */
export function sharedSessionReads(database: Database): ReconciliationArchive['sharedSessions'] {
  const shared = database
    .prepare<[string], string>(`
      SELECT session_id FROM payouts INDEXED BY payouts_session WHERE session_id > ?
      GROUP BY session_id HAVING count(*) > 1 ORDER BY session_id LIMIT ${AT_ONCE}`)
    .pluck();
  const payouts = database.prepare<[string], number>('SELECT id FROM payouts WHERE session_id = ? ORDER BY id').pluck();
  const page = snapshot(database, (after: string) => {
    const sessions = shared.all(after);
    const last = sessions.at(-1);
    return {
      rows: sessions.map((sessionId) => ({ sessionId, payoutIds: payouts.all(sessionId) })),
      next: last === undefined || sessions.length < AT_ONCE ? null : cursorBehind(last),
    };
  });
  return async (after) => {
    await nextTurn();
    return page(textBefore(after));
  };
}
