import type { Environment } from '../domain/environment.ts';
import type { RecordKind } from '../domain/records/lifecycle.ts';
import type { Likeness } from '../domain/refusals/refused-run.ts';
import type { StoreError } from './error.ts';

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
  /** This content is new under a key that was kept with another content (decision 20). */
  readonly variant: boolean;
}

/** What a kept delivery is, in the log and the metrics. */
export const KEPT_AS = ['new', 'duplicate', 'variant'] as const;
export type KeptAs = (typeof KEPT_AS)[number];

export function keptAs({ duplicate, variant }: Kept): KeptAs {
  if (duplicate) return 'duplicate';
  return variant ? 'variant' : 'new';
}

/** A request that was answered 4xx or 5xx, without its body: of most nothing shows that they are authentic. */
export interface Refusal {
  readonly atMs: number;
  /** As requested, made printable and cut, or `(unknown)`. */
  readonly path: string;
  /** A reason of `receive/refusals`, or the StoreFault of a delivery that could not be kept. */
  readonly reason: string;
  readonly remoteAddress: string | null;
  readonly contentLength: number | null;
  readonly userAgent: string | null;
}

/**
 * The write side, as `serve` uses it. While it is open it also applies kept deliveries, those of other processes too: each
 * content has one effect (`observationOf`, `recordMove`), in any order, and after a crash applying goes on. Several inboxes
 * share the work.
 */
export interface Inbox {
  /** Resolves once the event is on disk. Rejects with a StoreError; of kind `unavailable` when a retry may succeed. */
  readonly keep: (delivery: Delivery) => Promise<Kept>;
  /** Deliveries accepted and not yet on disk. */
  readonly depth: number;
  /**
   * Counts refusals, once the store can write them, continues the runs of those that may be the service's own, and keeps a bounded number of samples.
   * Returns at once; no request waits for the write.
   */
  readonly countRefusals: (refusals: readonly RefusalCount[], samples: readonly Refusal[]) => void;
  /** Resolves when every accepted delivery is on disk and the store is closed. */
  readonly close: () => Promise<void>;
}

/** Where a refused request may come from. */
export interface RefusalOrigin {
  /** How much it looks like a delivery of the service. */
  readonly likeness: Likeness;
  /** Those that it may be a delivery of. */
  readonly environments: readonly Environment[];
}

export interface RefusalCount extends RefusalOrigin {
  /** One of few: a webhook path, or `(unknown)`. */
  readonly path: string;
  readonly reason: string;
  readonly count: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  /** The path of the latest, as requested. */
  readonly lastPath: string;
}

/** What the writer does beside keeping deliveries; until `opening` is done it keeps none. */
export const WRITER_WORK = [
  'opening',
  'applying',
  'moving the log',
  'counting refusals',
  'signs of life',
  'files',
  'operations',
] as const;
export type WriterWork = (typeof WRITER_WORK)[number];

/** A record that contents were applied to, for the log. */
export interface AppliedRecord {
  readonly environment: Environment;
  readonly kind: RecordKind;
  readonly reference: string;
  /** The events whose contents these were. */
  readonly eventIds: readonly number[];
}

export interface InboxOptions {
  /** Names this process, for a person, such as `serve`; default `a receiver`. */
  readonly holder?: string;
  /** Also opens a database on a network or overlay file system, which can lose what was acknowledged. Default false: refused. */
  readonly unsafeFileSystem?: boolean;
  /** Most deliveries that wait to be kept; one more is refused with `queue_full`. */
  readonly limit: number;
  /** The store cannot go on: nothing may be acknowledged any more and the process must stop. */
  readonly onFatal: (error: StoreError) => void;
  /**
   * Work beside keeping fails and is tried again, or goes on (null); called at each change, not at each try. Deliveries are
   * still kept, except while the work is `opening`.
   */
  readonly onFault?: (work: WriterWork, error: StoreError | null) => void;
  /** What the background check found damaged, one sentence each; deliveries are still kept. */
  readonly onDamage?: (damage: readonly string[]) => void;
  readonly onApplied?: (contents: number, lagMs: number) => void;
  /** Called after each commit with what was applied. Without it nothing is collected. */
  readonly onAppliedTo?: (records: readonly AppliedRecord[]) => void;
  /** This process wrote rows of the outbox; called after their commit. Those of other processes are not told. */
  readonly onNews?: () => void;
}
