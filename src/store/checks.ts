import type { Outcome } from '../domain/check.ts';
import type { Claim } from '../domain/claim.ts';
import type { Environment } from '../domain/environment.ts';
import type { RecordKind } from '../domain/lifecycle.ts';
import type { VerificationEndpoint } from '../domain/request.ts';

/*
 * The part of the port that asking needs: questions are claimed under a lease, and each ends once, with an outcome.
 * Times are milliseconds since 1970.
 */

export interface DueFilter {
  readonly kinds: readonly RecordKind[];
  readonly environments: readonly Environment[];
  /** Only this record, whether it is due or not. */
  readonly reference?: string;
  /** Only records that changed since. */
  readonly sinceMs?: number;
}

export interface ClaimOrder {
  readonly filter: DueFilter;
  readonly limit: number;
  readonly leaseMs: number;
  readonly nowMs: number;
}

/** One record that is to be asked about. */
export interface Subject {
  readonly kind: RecordKind;
  readonly recordId: number;
  readonly environment: Environment;
  readonly reference: string;
  readonly reported: string | null;
  readonly confirmed: string | null;
  readonly dueAtMs: number | null;
}

/** A claimed question: until `leasedUntilMs` nobody else asks, and only its holder may end it. */
export interface Question extends Subject {
  /** Orders the answers and fences off older holders. */
  readonly counter: number;
  readonly leasedUntilMs: number;
  /** Questions since there was news of the record, this one included. */
  readonly attempts: number;
}

/** What the service said: a claim about the record, and the digest of what it was read from. */
export interface ServiceAnswer {
  readonly claim: Claim & { readonly status: string };
  /** sha256 (hex) of the canonical JSON. */
  readonly digest: string;
}

export interface EndedQuestion {
  readonly counter: number;
  readonly kind: RecordKind;
  readonly recordId: number;
  readonly nowMs: number;
  readonly outcome: Outcome;
  /** With `answered` alone. */
  readonly answer: ServiceAnswer | null;
  /** What went wrong, for a person; never a secret, never a body. */
  readonly detail: string | null;
  /**
   * Of a question that was asked although the record was not due, because somebody wants to know now. It is no attempt,
   * and while nothing is settled it puts off nothing: the record is due no later than it was.
   */
  readonly extra?: { readonly dueAtMs: number | null };
}

/** What the service last said of a record, and whether anything stands against it. */
export interface LastWord {
  readonly reference: string;
  /** The confirmed status; null while there is none. */
  readonly status: string | null;
  /** When the latest usable answer came, and what it says is to be paid: exact decimal text. */
  readonly answeredAtMs: number | null;
  readonly amount: string | null;
  readonly currency: string | null;
  /** The amount or currency disagrees with what others say, or with what was expected. */
  readonly disputed: boolean;
}

/** What became of it. */
export interface Ending {
  readonly counter: number;
  /** False: the lease was over, so nothing was written. */
  readonly accepted: boolean;
  readonly confirmed: string | null;
  /** The confirmed status is another one than before. */
  readonly changed: boolean;
  /** It is settled now and was not before. */
  readonly settled: boolean;
  /** The service is ahead of every webhook: one was lost, and this repairs it. */
  readonly repaired: boolean;
  /** The service's word stays behind or beside the webhooks'. */
  readonly disagreed: boolean;
  /** Tracked, past its date, and this question brought nothing either. */
  readonly overdue: boolean;
  readonly stuck: boolean;
  readonly dueAtMs: number | null;
}

export interface Confirmations {
  /** Takes what is due under a lease, oldest due first. */
  claim(order: ClaimOrder): Promise<Question[]>;
  /** Ends questions, each with its evidence, record, next due time and findings in one transaction. */
  end(ended: readonly EndedQuestion[]): Promise<Ending[]>;
  /** Gives back what was claimed and not asked; it is as due as it was. */
  release(questions: readonly Question[]): Promise<void>;
  /** How many are due and not leased. */
  countDue(due: { readonly filter: DueFilter; readonly nowMs: number }): Promise<number>;
  /** What `claim` would take; nothing is claimed. */
  listDue(due: { readonly filter: DueFilter; readonly nowMs: number; readonly limit: number }): Promise<Subject[]>;
  /** Null when there is no such record. */
  lastWord(record: {
    readonly kind: RecordKind;
    readonly environment: Environment;
    readonly reference: string;
  }): Promise<LastWord | null>;
  prove(proof: {
    readonly environment: Environment;
    readonly endpoint: VerificationEndpoint;
    readonly nowMs: number;
  }): Promise<void>;
  proven(environment: Environment): Promise<VerificationEndpoint[]>;
}
