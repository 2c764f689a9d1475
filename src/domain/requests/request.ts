import type { Environment } from '../environment.ts';
import type { JsonObject } from '../events/json.ts';
import type { RecordKind } from '../records/lifecycle.ts';

/**
 * `open`: sent or about to be sent, outcome unknown. `accepted`: by the service. `refused`: by the service, or the
 * service was never reached; nothing was done.
 */
export const REQUEST_STATES = ['open', 'accepted', 'refused'] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** The versions of the service's paths for collections (interface 9.1). */
export const COLLECTION_VERSIONS = ['v1', 'legacy'] as const;
export type CollectionVersion = (typeof COLLECTION_VERSIONS)[number];

/** Verification endpoints whose paths the document does not show (decisions 47, 72). */
export const VERIFICATION_ENDPOINTS = ['collection', 'payout'] as const;
export type VerificationEndpoint = (typeof VERIFICATION_ENDPOINTS)[number];

/** Requests that must take effect once only, and so are kept before they are sent. */
export const KEPT_KINDS = ['refund', 'payout', 'collection'] as const;
export type KeptKind = (typeof KEPT_KINDS)[number];

/** What is known before a request is sent. */
export interface RequestIntent {
  readonly kind: KeptKind;
  readonly environment: Environment;
  /** The transaction to refund; the payout's or collection's own reference. */
  readonly reference: string;
  /** sha256 (hex) of the content: the key is bound to it (decision 32). */
  readonly contentDigest: string;
  /**
   * Null: the journal resumes a request of the same content, an open one first, then an accepted one; without one it
   * takes `proposedKey`. The key is the reference where a request has no key.
   */
  readonly key: string | null;
  readonly proposedKey: string;
  /** Tracked in the same transaction, so that it is checked even if this process dies; null for a refund, whose reference is unknown yet. */
  readonly record: StartedRecord | null;
  readonly nowMs: number;
}

export interface KeptRequest {
  readonly key: string;
  readonly contentDigest: string;
  readonly state: RequestState;
  /** The record in the service's response; null until there is one. */
  readonly recordReference: string | null;
  /** When the request was first begun, or first after a refusal. */
  readonly createdAtMs: number;
  /** How often it was begun since then, this time included. */
  readonly attempts: number;
}

/** A record that a request of ours started: an observation of witness `request`, which confirms nothing (decision 92). */
export interface StartedRecord {
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly reference: string;
  /** The content of request and response, in the service's field names. */
  readonly wire: JsonObject;
}

/** Longest message kept of a refusal, in characters. */
export const LONGEST_REFUSAL = 1_000;

/** What the service said when it refused a request. */
export interface RequestRefusal {
  /** Null when the service was never reached. */
  readonly httpStatus: number | null;
  /** Without secrets and card numbers, at most `LONGEST_REFUSAL` characters; null once it is pruned. */
  readonly message: string | null;
}

export interface SettledRequest {
  readonly kind: KeptKind;
  readonly environment: Environment;
  readonly key: string;
  /** `open` when the outcome is still unknown. */
  readonly state: RequestState;
  /** As `begin` returned it: a refusal is dropped when the request was begun again since. */
  readonly attempts: number;
  /** Why it was refused; null in any other state. */
  readonly refusal: RequestRefusal | null;
  /** Tracked in the same transaction; null when there is nothing to track. */
  readonly record: StartedRecord | null;
  readonly nowMs: number;
}

/**
 * The port of what must survive a crash: a refund's idempotency key and the reference of a payout or collection are on
 * disk before the request is sent. A repeated refund without a key of its own gets the same key again
 * (decisions 33, 35, 42, 74).
 */
export interface RequestJournal {
  /**
   * Resolves once the request is kept. A known key returns the request kept under it: the caller compares the contents.
   * A refused request begins anew, and may have other content where the key is a reference.
   */
  begin(intent: RequestIntent): Promise<KeptRequest>;
  /**
   * Keeps the outcome of the request and the record it started, in one transaction. An accepted request stays accepted.
   * A refusal deletes the record that `begin` tracked, unless it has other observations.
   */
  settle(settled: SettledRequest): Promise<void>;
  /** Resolves to whether a refund was started by a request of this journal. */
  knowsRefund(environment: Environment, refundReference: string): Promise<boolean>;
  /** Resolves to the version that a payment began with; `version` when it begins now (decision 59). */
  pinVersion(environment: Environment, reference: string, version: CollectionVersion): Promise<CollectionVersion>;
}
