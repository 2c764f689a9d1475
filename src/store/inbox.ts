import type { Environment } from '../domain/environment.ts';

/*
 * The write side of the port, as `serve` uses it. Times are milliseconds since 1970 (`…Ms`) unless they are the service's
 * own signed texts.
 */

/** Whether the request carried a merchantSignature; a wrong one was refused before. */
export const MERCHANT_SIGNATURES = ['verified', 'absent'] as const;
export type MerchantSignature = (typeof MERCHANT_SIGNATURES)[number];

/** One authentic HTTP request with its unread body. */
export interface Delivery {
  readonly environment: Environment;
  readonly keyId: string;
  readonly merchantSignature: MerchantSignature;
  readonly body: Uint8Array;
  /** The `timestamp` header as sent: unsigned, for display only. */
  readonly sentAt: string | null;
  readonly receivedAtMs: number;
}

export interface Kept {
  readonly eventId: number;
  /** This content was already kept under this key, in the same encoding or another. */
  readonly duplicate: boolean;
}

/** A request that was answered 401, 405, 413 or 415, without its body: it is not authentic. */
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
  /** Resolves once the event is on disk. Rejects with a StoreError; of kind `unavailable` when a retry may succeed. */
  keep(delivery: Delivery): Promise<Kept>;
  /** Deliveries accepted and not yet on disk. */
  readonly depth: number;
  /** Counts refusals and keeps a bounded number of samples. Returns at once; no request waits for the write. */
  countRefusals(refusals: readonly RefusalCount[], samples: readonly Refusal[]): void;
  /** Resolves when every accepted delivery is on disk and the log is checkpointed. */
  close(): Promise<void>;
}

export interface RefusalCount {
  readonly path: string;
  readonly reason: string;
  readonly count: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}
