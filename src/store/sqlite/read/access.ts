import { isGood } from '../../../domain/access/one-time.ts';
import { type SessionTimes, sessionState } from '../../../domain/access/session.ts';
import { foldedName } from '../../../domain/persons/person.ts';
import type { Clock } from '../../../time/clock.ts';
import type { AccessArchive, KnownLogin, RefusedLogins } from '../../access.ts';
import type { Database } from '../engine/database.ts';
import { guarded, snapshot } from '../engine/reading.ts';
import { SESSIONS, type SessionRow, sessionFromRow } from '../rows/access.ts';
import { proofFactReads } from './proofs.ts';

/** Most sessions that a list shows. */
const MOST_SESSIONS = 1_000;

export function accessReads(database: Database, clock: Clock): AccessArchive {
  const one = database.prepare<[string], SessionRow>(`${SESSIONS} WHERE s.digest = ?`);
  const list = database.prepare<{ folded: string | null }, SessionRow>(`
    ${SESSIONS} WHERE @folded IS NULL OR u.folded_name = @folded ORDER BY s.seen_at DESC, s.id DESC LIMIT ${MOST_SESSIONS}`);
  const userOf = database.prepare<[string], { id: number; name: string }>(
    'SELECT id, name FROM users WHERE folded_name = ? AND ended_at IS NULL',
  );
  const credentialOf = database.prepare<[number, string], { id: number; value: string }>(
    'SELECT id, value FROM credentials WHERE user_id = ? AND kind = ? ORDER BY id DESC LIMIT 1',
  );
  const recovery = database
    .prepare<[number], string>("SELECT value FROM credentials WHERE user_id = ? AND kind = 'recovery' ORDER BY id")
    .pluck();
  const linkOwner = linkOwnerOf(database);
  const refusedLogins = refusedLoginsOf(database);
  const proofs = proofFactReads(database);

  const login = snapshot(database, (name: string): KnownLogin | null => {
    const user = userOf.get(foldedName(name));
    if (user === undefined) return null;
    const [password, totp] = [credentialOf.get(user.id, 'password'), credentialOf.get(user.id, 'totp')];
    return {
      name: user.name,
      password: password === undefined ? null : { id: password.id, hash: password.value },
      totp: totp === undefined ? null : { id: totp.id, sealed: totp.value },
      recovery: recovery.all(user.id),
    };
  });

  const isOver = (session: SessionTimes) => sessionState(session, clock.nowMs()) !== 'live';
  return {
    session: async (digest) =>
      guarded(database, () => {
        const row = one.get(digest);
        return row === undefined ? null : sessionFromRow(row);
      })(),
    sessions: async (name) =>
      guarded(database, () =>
        list
          .all({ folded: name === undefined ? null : foldedName(name) })
          .filter((row) => !isOver(row))
          .map(sessionFromRow),
      )(),
    proofFacts: async (credential) => guarded(database, () => proofs.factsOf(credential))(),
    login: async (name) => login(name),
    linkOwner: async (digest) => guarded(database, () => linkOwner(digest, clock.nowMs())?.name ?? null)(),
    refusedLogins: async (sinceMs) => guarded(database, refusedLogins)(sinceMs),
  };
}

/** The user of a link that is good, for those who take it, too. */
export function linkOwnerOf(database: Database) {
  const owner = database.prepare<{ digest: string }, { id: number; name: string; endsAtMs: number }>(`
    SELECT u.id, u.name, c.ends_at AS endsAtMs FROM credentials c JOIN users u ON u.id = c.user_id AND u.ended_at IS NULL
    WHERE c.kind = 'link' AND c.value = @digest`);
  return (digest: string, nowMs: number): { id: number; name: string } | null => {
    const found = owner.get({ digest });
    return found === undefined || !isGood(found, nowMs) ? null : found;
  };
}

/** For the alert, too. */
export function refusedLoginsOf(database: Database): (sinceMs: number) => RefusedLogins | null {
  const refused = database.prepare<[number], { accounts: number; addresses: number; lastAtMs: number | null }>(`
    SELECT count(*) FILTER (WHERE scope = 'account') AS accounts, count(*) FILTER (WHERE scope = 'address') AS addresses,
      max(refused_at) AS lastAtMs
    FROM login_attempts WHERE refused_at >= ?`);
  return (sinceMs) => {
    const found = refused.get(sinceMs);
    return found === undefined || found.lastAtMs === null ? null : { ...found, lastAtMs: found.lastAtMs };
  };
}
