import { type Credential, type KnownToken, proofRefusal } from '../../../domain/access/proof.ts';
import type { ActName } from '../../../domain/audit/acts.ts';
import { StoreError } from '../../error.ts';
import type { Database } from '../engine/database.ts';
import { rolesFromColumn } from '../rows/users.ts';
import type { AuditWrites } from './audit.ts';

interface TokenRow extends Omit<KnownToken, 'roles'> {
  readonly roles: string;
}

export interface Proofs {
  /** Carries out one call, whose acts are held against `credential`. */
  during<Result>(credential: Credential | null, call: () => Result): Result;
  /** Throws a StoreError `not_proven` or `not_allowed` when `who` may not carry out the act; within its transaction. */
  expect(who: string, act: ActName, nowMs: number): void;
}

/** Holds the names that are stated against the credential that came with the call under way: a connection carries out one at a time. */
export function proofReads(database: Database): Proofs {
  let credential: Credential | null = null;
  const hasUsers = database.prepare<[], 0 | 1>('SELECT EXISTS (SELECT 1 FROM users)').pluck();
  const tokenOf = database.prepare<[string], TokenRow>(`
    SELECT u.name, u.roles, t.ends_at AS endsAtMs FROM user_tokens t JOIN users u ON u.id = t.user_id WHERE t.digest = ?`);

  function known(): KnownToken | 'none' | 'unknown' {
    if (credential === null) return 'none';
    const row = tokenOf.get(credential.digest);
    return row === undefined ? 'unknown' : { ...row, roles: rolesFromColumn(row.roles) };
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
      const refusal = proofRefusal(who, act, { hasUsers: hasUsers.get() === 1, token: known(), nowMs });
      if (refusal !== null) throw new StoreError(refusal.fault, refusal.message, { hint: refusal.hint });
    },
  };
}

/** The audit whose entries are proved: no act of a person goes round it. */
export function provedAudit(audit: AuditWrites, proofs: Proofs): AuditWrites {
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
