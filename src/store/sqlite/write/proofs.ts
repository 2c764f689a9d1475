import { mayBeSameHand } from '../../../domain/access/hands.ts';
import { type Credential, proofRefusal } from '../../../domain/access/proof.ts';
import type { PersonAct, Role } from '../../../domain/access/roles.ts';
import { samePerson } from '../../../domain/persons/person.ts';
import { StoreError } from '../../error.ts';
import type { Database } from '../engine/database.ts';
import { proofFactReads } from '../read/proofs.ts';
import type { AuditWrites } from './audit.ts';

export interface Proofs {
  /** Carries out one call, whose acts are held against `credential`. */
  during<Result>(credential: Credential | null, call: () => Result): Result;
  /** Throws a StoreError `not_proven`, `not_allowed` or `not_fresh` when `who` may not carry out the act; within its transaction. */
  expect(who: string, act: PersonAct, nowMs: number): void;
  /** The roles of the person whose credential the call has. */
  roles(): readonly Role[];
  /** Whether `by`, who acts by the credential of the call, may be the person who did the first half as `first`. */
  mayBe(first: string, by: string): boolean;
  /** Whether the call has a credential of this person that may act now. */
  isProven(who: string, nowMs: number): boolean;
}

/** Holds the names that are stated against the credential that came with the call under way: a connection carries out one at a time. */
export function proofReads(database: Database): Proofs {
  let credential: Credential | null = null;
  const reads = proofFactReads(database);

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
      const refusal = proofRefusal(who, act, { ...reads.factsOf(credential), nowMs });
      if (refusal !== null) throw new StoreError(refusal.fault, refusal.message, { hint: refusal.hint });
    },

    roles() {
      const { credential: found } = reads.factsOf(credential);
      return found === 'none' || found === 'unknown' ? [] : found.roles;
    },

    mayBe(first, by) {
      if (samePerson(first, by)) return true;
      const { credential: found } = reads.factsOf(credential);
      return found !== 'none' && found !== 'unknown' && mayBeSameHand(first, found, reads.giftsTo);
    },

    isProven(who, nowMs) {
      const { credential: found } = reads.factsOf(credential);
      return (
        found !== 'none' &&
        found !== 'unknown' &&
        proofRefusal(who, 'user.sessions', { hasUsers: true, credential: found, nowMs }) === null
      );
    },
  };
}

/** The audit whose entries are proved: each act of a person is entered by it. */
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
