import type { Environment } from '../domain/environment.ts';

/*
 * The write side of the port, as `serve` uses it. Times are milliseconds since 1970 (`…Ms`) unless they are the service's
 * own signed texts.
 */

/** Whether the request carried a merchantSignature; one that is present and wrong never gets this far. */
export const MERCHANT_SIGNATURES = ['verified', 'absent'] as const;
export type MerchantSignature = (typeof MERCHANT_SIGNATURES)[number];

/** One authentic HTTP request, before anybody has looked inside. */
export interface Delivery {
  readonly environment: Environment;
  readonly keyId: string;
  readonly merchantSignature: MerchantSignature;
  readonly body: Uint8Array;
  /** The `timestamp` header as sent: not signed, kept for people. */
  readonly sentAt: string | null;
  readonly receivedAtMs: number;
}

export interface Kept {
  readonly eventId: number;
  /** This content was already kept under this key, in whatever encoding. */
  readonly duplicate: boolean;
}

/** A request that was answered 401, 405, 413 or 415. No body: nobody vouches for it. */
export interface Refusal {
  readonly atMs: number;
  readonly path: string;
  readonly reason: string;
  readonly remoteAddress: string | null;
  readonly contentLength: number | null;
  readonly userAgent: string | null;
}

/** The write side, as `serve` uses it. */
export interface Inbox {
  /** Resolves once the event is on disk. Rejects with a StoreError of kind `unavailable`: the delivery may come again. */
  keep(delivery: Delivery): Promise<Kept>;
  /** Deliveries accepted and not yet on disk. */
  readonly depth: number;
  /** Counts refusals; keeps a bounded number of samples. Never waited for by a request. */
  countRefusals(refusals: readonly RefusalCount[], samples: readonly Refusal[]): void;
  /** Resolves when everything accepted so far is on disk and the log is checkpointed. */
  close(): Promise<void>;
}

export interface RefusalCount {
  readonly path: string;
  readonly reason: string;
  readonly count: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}
