import { type Credential, type KnownCredential, proofRefusal } from '../../../domain/access/proof.ts';
import type { Role } from '../../../domain/access/roles.ts';
import type { ActName } from '../../../domain/audit/acts.ts';
import type { KnownSession } from '../../access.ts';
import { StoreError } from '../../error.ts';
import type { Database } from '../engine/database.ts';
import { SESSIONS, type SessionRow, sessionFromRow } from '../rows/access.ts';
import { rolesFromColumn, userSubject } from '../rows/users.ts';
import type { AuditWrites } from './audit.ts';

interface TokenRow {
  readonly name: string;
  readonly roles: string;
  readonly madeAtMs: number;
  readonly endsAtMs: number;
}

export interface Proofs {
  /** Carries out one call, whose acts are held against `credential`. */
  during<Result>(credential: Credential | null, call: () => Result): Result;
  /** Throws a StoreError `not_proven`, `not_allowed` or `not_fresh` when `who` may not carry out the act; within its transaction. */
  expect(who: string, act: ActName, nowMs: number): void;
  /** Whose credential the call has: the roles, and who gave the token; null: a login, or none. */
  known(): { readonly roles: readonly Role[]; readonly givenBy: string | null };
  /** Whether the call has a credential of this person that may act now. */
  isProven(who: string, nowMs: number): boolean;
}

/** No second person approved the entry. */
const ALONE = `NOT EXISTS (SELECT 1 FROM audit_entries u WHERE u.seq = audit_entries.seq - 1 AND u.act = 'approval.use' AND u.who = audit_entries.who)`;

/** Holds the names that are stated against the credential that came with the call under way: a connection carries out one at a time. */
export function proofReads(database: Database): Proofs {
  let credential: Credential | null = null;
  const hasUsers = database.prepare<[], 0 | 1>('SELECT EXISTS (SELECT 1 FROM users)').pluck();
  const tokenOf = database.prepare<[string], TokenRow>(`
    SELECT u.name, u.roles, t.made_at AS madeAtMs, t.ends_at AS endsAtMs
    FROM user_tokens t JOIN users u ON u.id = t.user_id WHERE t.digest = ?`);
  const sessionOf = database.prepare<[string], SessionRow>(`${SESSIONS} WHERE s.digest = ?`);
  // What a second person approved was given by nobody alone.
  const giverOf = database
    .prepare<{ subject: string; madeAtMs: number }, string>(`
      SELECT who FROM audit_entries
      WHERE subject = @subject AND at = @madeAtMs AND act IN ('user.add', 'user.token', 'user.reset') AND ${ALONE} ORDER BY seq DESC LIMIT 1`)
    .pluck();

  const linkGiverOf = database
    .prepare<{ subject: string }, string>(`
      SELECT who FROM audit_entries
      WHERE subject = @subject AND act IN ('user.add', 'user.link', 'user.reset') AND ${ALONE}
        AND seq < (SELECT max(seq) FROM audit_entries WHERE subject = @subject AND act = 'user.password')
      ORDER BY seq DESC LIMIT 1`)
    .pluck();

  function session(): KnownSession | null {
    const row = credential?.kind === 'session' ? sessionOf.get(credential.digest) : undefined;
    return row === undefined ? null : sessionFromRow(row);
  }

  /** Who gave the link with which the login of a session was set up; null: an identity provider proved it. */
  function linkGiver({ name, way }: Pick<KnownSession, 'name' | 'way'>): string | null {
    return way === 'oidc' ? null : (linkGiverOf.get({ subject: userSubject(name) }) ?? null);
  }

  function known(): KnownCredential | 'none' | 'unknown' {
    if (credential === null) return 'none';
    if (credential.kind === 'session') {
      const found = session();
      return found === null ? 'unknown' : { kind: 'session', ...found };
    }
    const row = tokenOf.get(credential.digest);
    if (row === undefined) return 'unknown';
    const { name, madeAtMs, endsAtMs } = row;
    const givenBy = giverOf.get({ subject: userSubject(name), madeAtMs }) ?? name;
    return { kind: 'token', name, roles: rolesFromColumn(row.roles), endsAtMs, givenBy };
  }

  return {
    during(given, call) {
      credential = given;
      try {
        return call();
      } finally {
        credential = null;
      }
    },

    expect(who, act, nowMs) {
      const refusal = proofRefusal(who, act, { hasUsers: hasUsers.get() === 1, credential: known(), nowMs });
      if (refusal !== null) throw new StoreError(refusal.fault, refusal.message, { hint: refusal.hint });
    },

    known() {
      const found = known();
      if (found === 'none' || found === 'unknown') return { roles: [], givenBy: null };
      return { roles: found.roles, givenBy: found.kind === 'token' ? found.givenBy : linkGiver(found) };
    },

    isProven(who, nowMs) {
      const credential = known();
      return (
        credential !== 'none' &&
        credential !== 'unknown' &&
        proofRefusal(who, 'user.sessions', { hasUsers: true, credential, nowMs }) === null
      );
    },
  };
}

/** The audit whose entries are proved: no act of a person goes round it. */
export function provedAudit<Audit extends AuditWrites>(audit: Audit, proofs: Proofs): Audit {
  return {
    ...audit,
    append(act) {
      proofs.expect(act.who, act.act, act.nowMs);
      return audit.append(act);
    },
    expectEntry(act) {
      proofs.expect(act.who, act.act, act.nowMs);
      audit.expectEntry(act);
    },
  };
}
