import type { Environment } from './environment.ts';
import type { JsonObject } from './json.ts';
import type { RecordKind } from './lifecycle.ts';

/**
 * `open`: sent or about to be, outcome unknown. `accepted`: the service said so. `refused`: nothing was done, because the
 * service said no or was never reached.
 */
export const REQUEST_STATES = ['open', 'accepted', 'refused'] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** Which paths of the service a collection takes (interface 9.1). */
export const COLLECTION_VERSIONS = ['v1', 'legacy'] as const;
export type CollectionVersion = (typeof COLLECTION_VERSIONS)[number];

/** Verification endpoints whose paths the document does not show (decisions 47, 72). */
export const VERIFICATION_ENDPOINTS = ['collection', 'payout'] as const;
export type VerificationEndpoint = (typeof VERIFICATION_ENDPOINTS)[number];

/** What must be done once, and so is kept before it is sent. */
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
   * Null lets the journal resume a request of the same content, an open one first, then one that was accepted; else it
   * takes `proposedKey`. Without a key of its own it is the reference.
   */
  readonly key: string | null;
  readonly proposedKey: string;
  /** Tracked in the same transaction, so that it is asked about even if this process dies now; null for a refund, whose name is yet unknown. */
  readonly record: StartedRecord | null;
  readonly nowMs: number;
}

export interface KeptRequest {
  readonly key: string;
  readonly contentDigest: string;
  readonly state: RequestState;
  /** The record that answered it; null until one did. */
  readonly recordReference: string | null;
  /** When it was begun first, or first after a refusal. */
  readonly createdAtMs: number;
  /** Times it was begun since then, this one included. */
  readonly attempts: number;
}

/** A record that a request of ours started: a claim of witness `request`, which confirms nothing (decision 92). */
export interface StartedRecord {
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly reference: string;
  /** What we sent and what was answered, in the service's own field names. */
  readonly wire: JsonObject;
  readonly nowMs: number;
}

export interface SettledRequest {
  readonly kind: KeptKind;
  readonly environment: Environment;
  readonly key: string;
  /** `open` when the outcome is still unknown. */
  readonly state: RequestState;
  /** As `begin` said it: a refusal counts only while nobody has begun the request again. */
  readonly attempts: number;
  /** Tracked in the same transaction; null when there is nothing to track. */
  readonly record: StartedRecord | null;
  readonly nowMs: number;
}

/**
 * The port that keeps what must survive a crash: a refund's idempotency key and the reference of a payout or collection
 * are on disk before the request leaves, and whoever asks for the same refund again, with no key to say that it is another
 * one, gets the same key (decisions 33, 35, 42, 74).
 */
export interface RequestJournal {
  /**
   * Resolves once the request is kept. A key that is known returns what is kept under it, whatever its content: the
   * caller compares. What was refused begins anew, and may have other content where the key is a reference.
   */
  begin(intent: RequestIntent): Promise<KeptRequest>;
  /**
   * What became of the request, and the record it started, in one transaction. What was accepted stays accepted. With a
   * refusal the record that `begin` tracked goes, unless something else is known of it.
   */
  settle(settled: SettledRequest): Promise<void>;
  /** Whether a refund is the answer to a request of this journal. */
  knowsRefund(environment: Environment, refundReference: string): Promise<boolean>;
  /** The version that a payment began with; `version` when it begins now (decision 59). */
  pinVersion(environment: Environment, reference: string, version: CollectionVersion): Promise<CollectionVersion>;
}
