import type { LoginWay } from '../../../domain/access/session.ts';
import { newSession, type SessionTimes, sessionState } from '../../../domain/access/session.ts';
import type { Timed } from '../../../time/clock.ts';
import type { KnownSession, NewSession } from '../../access.ts';
import type { Database } from '../engine/database.ts';
import { SESSIONS, type SessionRow, sessionFromRow } from '../rows/access.ts';

/** Sessions of one user; one more ends the one that was used least lately. */
const MOST_SESSIONS = 20;

/** Rows of sessions. The caller holds the transaction. */
export function sessionRows(database: Database) {
  const one = database.prepare<[string], SessionRow>(`${SESSIONS} WHERE s.digest = ?`);
  const insert = database.prepare<Record<string, unknown>>(`
    INSERT INTO sessions (user_id, digest, way, started_at, seen_at, proven_at, idle_ms, ends_at, address, agent)
    VALUES (@userId, @digest, @way, @startedAtMs, @seenAtMs, @provenAtMs, @idleMs, @endsAtMs, @address, @agent)`);
  const touch = database.prepare<[number, string]>('UPDATE sessions SET seen_at = ? WHERE digest = ?');
  const proven = database.prepare<{ digest: string; former: string; nowMs: number }>(
    'UPDATE sessions SET digest = @digest, proven_at = @nowMs, seen_at = @nowMs WHERE digest = @former',
  );
  const rename = database.prepare<{ digest: string; former: string; nowMs: number }>(
    'UPDATE sessions SET digest = @digest, seen_at = @nowMs WHERE digest = @former',
  );
  const dropOthers = database.prepare<[number, string]>('DELETE FROM sessions WHERE user_id = ? AND digest <> ?');
  const drop = database.prepare<[string]>('DELETE FROM sessions WHERE digest = ?');
  const dropOver = database.prepare<[number]>('DELETE FROM sessions WHERE ends_at <= ?');
  const dropOldest = database.prepare<[number, number]>(`
    DELETE FROM sessions WHERE user_id = ? AND id NOT IN (
      SELECT id FROM sessions WHERE user_id = ? ORDER BY seen_at DESC, id DESC LIMIT ${MOST_SESSIONS})`);
  const dropOf = database.prepare<{ userId: number; session: number | null }>(
    'DELETE FROM sessions WHERE user_id = @userId AND (@session IS NULL OR id = @session)',
  );

  function find(digest: string): KnownSession | null {
    const row = one.get(digest);
    return row === undefined ? null : sessionFromRow(row);
  }

  return {
    find,

    /** The session, if it is neither idle nor over. */
    live(digest: string, nowMs: number): KnownSession | null {
      const session = find(digest);
      return session !== null && sessionState(session, nowMs) === 'live' ? session : null;
    },

    begin(userId: number, way: LoginWay, { digest, lengths, address, agent }: NewSession, nowMs: number): KnownSession {
      const times: SessionTimes = newSession(nowMs, lengths);
      dropOver.run(nowMs);
      insert.run({ userId, digest, way, ...times, address, agent });
      dropOldest.run(userId, userId);
      return find(digest) as KnownSession;
    },

    touch: ({ digest, nowMs }: { digest: string } & Timed): void => void touch.run(nowMs, digest),

    /** The session goes on under another id, and is proved now. */
    prove: (former: string, digest: string, nowMs: number): KnownSession => {
      proven.run({ former, digest, nowMs });
      return find(digest) as KnownSession;
    },

    /** The session goes on under another id. */
    rename: (former: string, digest: string, nowMs: number): void => void rename.run({ former, digest, nowMs }),

    /** All of a user but one. */
    endOthers: (userId: number, digest: string): void => void dropOthers.run(userId, digest),

    end: (digest: string): void => void drop.run(digest),

    /** All of a user, or the one of this number. How many there were. */
    endOf: (userId: number, session: number | null = null): number => dropOf.run({ userId, session }).changes,
  };
}
