import type { AnswerContradiction, Outcome } from '../domain/checks/check.ts';
import type { CheckEffect } from '../domain/checks/check-result.ts';
import type { Environment } from '../domain/environment.ts';
import type { Stated } from '../domain/events/stated.ts';
import type { RecordKind } from '../domain/records/lifecycle.ts';
import type { VerificationEndpoint } from '../domain/requests/request.ts';

/*
 * The part of the port for status checks. A check is leased before it is sent, and its holder finishes it once, with an
 * outcome. Times are milliseconds since 1970, by the store's own clock.
 */

export interface DueFilter {
  readonly kinds: readonly RecordKind[];
  readonly environments: readonly Environment[];
  /** Only this record, whether it is due or not. */
  readonly reference?: string;
  /** Only records that changed since. */
  readonly sinceMs?: number;
}

export interface LeaseOrder {
  readonly filter: DueFilter;
  readonly limit: number;
  readonly leaseMs: number;
}

/** A record to check. */
export interface DueRecord {
  readonly kind: RecordKind;
  readonly recordId: number;
  readonly environment: Environment;
  readonly reference: string;
  readonly reported: string | null;
  readonly confirmed: string | null;
  /** By the observations about it, else by its expectation; null while neither names one. An answer in another one is not usable. */
  readonly currency: string | null;
  readonly dueAtMs: number | null;
}

/** A check under a lease: until `leasedUntilMs` no other process checks the record, and only the holder may finish it. */
export interface LeasedCheck extends DueRecord {
  /** Greater than every earlier counter of the record; a finished check with an older one is refused. */
  readonly counter: number;
  readonly leasedUntilMs: number;
  /** False: it was not due, and was leased because it was named. */
  readonly wasDue: boolean;
  /** Checks since the record last changed of the record, this one included. */
  readonly attempts: number;
}

/** A usable answer of the status endpoint: what it states about the record, and the digest of what it was read from. */
export interface ServiceAnswer {
  readonly stated: Stated & { readonly status: string };
  /** sha256 (hex) of the canonical JSON. */
  readonly digest: string;
}

export interface FinishedCheck {
  readonly counter: number;
  readonly kind: RecordKind;
  readonly recordId: number;
  readonly outcome: Outcome;
  /** With `answered` alone. */
  readonly answer: ServiceAnswer | null;
  /** What went wrong, for a person; never a secret, never a body. */
  readonly detail: string | null;
  /** Of an unusable answer: what it contradicted. */
  readonly contradiction?: AnswerContradiction;
  /**
   * Set for a check of a record that was not due (a customer is waiting for it). It counts as no attempt, and while
   * nothing is settled the record stays due at `dueAtMs` at the latest.
   */
  readonly extra?: { readonly dueAtMs: number | null };
}

/** The latest answer of the service about a record, and whether anything contradicts it. */
export interface ConfirmedStatus {
  readonly reference: string;
  /** Null while nothing is confirmed. */
  readonly status: string | null;
  /** How long ago the latest usable answer came; negative after the clock was set back, null without one. */
  readonly answerAgeMs: number | null;
  /** The amount to be paid in that answer: exact decimal text. */
  readonly amount: string | null;
  readonly currency: string | null;
  /**
   * The amount or currency differs from another observation or from the expectation, or an answer about an expected payment does
   * not state both.
   */
  readonly disputed: boolean;
}

export interface Checks extends Proofs {
  /** Leases checks of due records, oldest due first. */
  readonly lease: (order: LeaseOrder) => Promise<LeasedCheck[]>;
  /** Finishes checks: evidence, record, next due time and findings of each in one transaction. */
  readonly finish: (finished: readonly FinishedCheck[]) => Promise<CheckEffect[]>;
  /** Gives back leases whose checks were not sent; their records are as due as before. */
  readonly release: (leased: readonly LeasedCheck[]) => Promise<void>;
  /** How many records are due and not leased. */
  readonly countDue: (due: { readonly filter: DueFilter }) => Promise<number>;
  /** The records that `lease` would take; leases nothing. */
  readonly listDue: (due: { readonly filter: DueFilter; readonly limit: number }) => Promise<DueRecord[]>;
  /** Null when there is no such record. */
  readonly confirmedStatus: (record: {
    readonly kind: RecordKind;
    readonly environment: Environment;
    readonly reference: string;
  }) => Promise<ConfirmedStatus | null>;
}

/** Which verification endpoints have ever given a usable answer (decisions 47, 72). */
export interface Proofs {
  readonly prove: (proof: EndpointProof) => Promise<void>;
  readonly proven: (environment: Environment) => Promise<VerificationEndpoint[]>;
}

/** A verification endpoint gave its first usable answer. */
export interface EndpointProof {
  readonly environment: Environment;
  readonly endpoint: VerificationEndpoint;
}
