import type { Credential, KnownCredential, ProofFacts } from '../../../domain/access/proof.ts';
import type { KnownSession } from '../../access.ts';
import type { Database } from '../engine/database.ts';
import { SESSIONS, type SessionRow, sessionFromRow } from '../rows/access.ts';
import { rolesFromColumn, userSubject } from '../rows/users.ts';

interface TokenRow {
  readonly name: string;
  readonly roles: string;
  readonly madeAtMs: number;
  readonly endsAtMs: number;
}

/** No second person approved the entry. */
const ALONE = `NOT EXISTS (SELECT 1 FROM audit_entries u WHERE u.seq = audit_entries.seq - 1 AND u.act = 'approval.use' AND u.who = audit_entries.who)`;

export interface ProofFactReads {
  /** What the books know of a credential. */
  factsOf(credential: Credential | null): Omit<ProofFacts, 'nowMs'>;
  /** Who gave the token or the link with which the person of the credential acts; null: a provider proved it, or it is not known. */
  giverOf(credential: KnownCredential): string | null;
}

/** What names are proved by: the same for commands that ask before they begin, and in the transaction of an act. */
export function proofFactReads(database: Database): ProofFactReads {
  const hasUsers = database.prepare<[], 0 | 1>('SELECT EXISTS (SELECT 1 FROM users)').pluck();
  const tokenOf = database.prepare<[string], TokenRow>(`
    SELECT u.name, u.roles, t.made_at AS madeAtMs, t.ends_at AS endsAtMs
    FROM user_tokens t JOIN users u ON u.id = t.user_id WHERE t.digest = ?`);
  const sessionOf = database.prepare<[string], SessionRow>(`${SESSIONS} WHERE s.digest = ?`);
  // What a second person approved was not given by one person alone.
  const tokenGiver = database
    .prepare<{ subject: string; madeAtMs: number }, string>(`
      SELECT who FROM audit_entries
      WHERE subject = @subject AND at = @madeAtMs AND act IN ('user.add', 'user.token', 'user.reset') AND ${ALONE} ORDER BY seq DESC LIMIT 1`)
    .pluck();
  const linkGiver = database
    .prepare<{ subject: string }, string>(`
      SELECT who FROM audit_entries
      WHERE subject = @subject AND act IN ('user.add', 'user.link', 'user.reset') AND ${ALONE}
        AND seq < (SELECT max(seq) FROM audit_entries WHERE subject = @subject AND act = 'user.password')
      ORDER BY seq DESC LIMIT 1`)
    .pluck();

  function session(digest: string): KnownSession | null {
    const row = sessionOf.get(digest);
    return row === undefined ? null : sessionFromRow(row);
  }

  function known(credential: Credential | null): KnownCredential | 'none' | 'unknown' {
    if (credential === null) return 'none';
    if (credential.kind === 'session') {
      const found = session(credential.digest);
      return found === null ? 'unknown' : { kind: 'session', ...found };
    }
    const row = tokenOf.get(credential.digest);
    if (row === undefined) return 'unknown';
    const { name, madeAtMs, endsAtMs } = row;
    const givenBy = tokenGiver.get({ subject: userSubject(name), madeAtMs }) ?? name;
    return { kind: 'token', name, roles: rolesFromColumn(row.roles), endsAtMs, givenBy };
  }

  return {
    factsOf: (credential) => ({ hasUsers: hasUsers.get() === 1, credential: known(credential) }),

    giverOf(credential) {
      if (credential.kind === 'token') return credential.givenBy;
      return credential.way === 'oidc' ? null : (linkGiver.get({ subject: userSubject(credential.name) }) ?? null);
    },
  };
}
