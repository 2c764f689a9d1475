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

/** What a delivery is once it is carried out, in the log and the metrics. */
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
 * The write side, as `serve` uses it. A delivery is kept when it is in the log; the books carry the log out, in its order: then it is an
 * event, a duplicate or a variant, and has its effect on its record. Several inboxes append to one log, and one process at a time carries it
 * out; after a crash that goes on where it was.
 */
export interface Inbox {
  /** Resolves once the delivery is in the log, on disk. Rejects with a StoreError; of kind `unavailable` when a retry may succeed. */
  readonly keep: (delivery: Delivery) => Promise<void>;
  /** Deliveries accepted and not yet on disk. */
  readonly depth: number;
  /**
   * Counts refusals, once the store can write them, continues the runs of those that may be the service's own, and keeps a bounded number of samples.
   * Returns at once; no request waits for the write.
   */
  readonly countRefusals: (refusals: readonly RefusalCount[], samples: readonly Refusal[]) => void;
  /** Resolves when every accepted delivery is on disk, and carried out as far as a few seconds reach, and the store is closed. */
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

/** What is done on the books, each by one place of the program; until `opening` is done no delivery is kept. The last two: of several machines. */
export const BOOKS_WORK = [
  'opening',
  'carrying out',
  'moving the write-ahead log',
  'counting refusals',
  'signs of life',
  'files',
  'operations',
  'signs of life in the log',
  'snapshots and sums',
] as const;
export type BooksWork = (typeof BOOKS_WORK)[number];

/** A delivery of the log and what it became. */
export interface CarriedDelivery {
  readonly delivery: Delivery;
  readonly kept: Kept;
}

/** What one transaction of the books carried out, of deliveries of any process; or what other processes carried out meanwhile. */
export interface CarriedOut {
  readonly kept: Readonly<Record<KeptAs, number>>;
  /** What could not be carried out and was set aside, one sentence each. */
  readonly aside: readonly string[];
  /** Of each delivery the time from its receipt to its effect; empty of other processes. */
  readonly lagsMs: readonly number[];
}

/** Deliveries that are acknowledged, and not carried out yet. */
export interface Waiting {
  readonly deliveries: number;
  /** When the first of them was received; null without any. */
  readonly sinceMs: number | null;
}

/** A process that holds the lock which carrying out needs. */
export interface LockHolder {
  readonly pid: number;
  /** The name of its program; null where it may not be read. */
  readonly program: string | null;
}

/** A record that contents were observed of, for the log. */
export interface ObservedRecord {
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
  /** Most bytes of the log; while it has more, deliveries are refused with `backlog_full`. Default 1 GiB. */
  readonly backlogBytes?: number;
  /** The store cannot go on: nothing may be acknowledged any more and the process must stop. */
  readonly onFatal: (error: StoreError) => void;
  /**
   * Work on the books fails and is tried again, or goes on (null); called at each change, not at each try. Deliveries are
   * still kept, except while the work is `opening`.
   */
  readonly onFault?: (work: BooksWork, error: StoreError | null) => void;
  /** What refused deliveries as `busy` or `backlog_full` is over; called within a second, also without a delivery. */
  readonly onKeepsAgain?: () => void;
  /** What the background check found damaged, one sentence each; deliveries are still kept. */
  readonly onDamage?: (damage: readonly string[]) => void;
  /** Called after each commit of what this process carried out, and within a second after that of another process. */
  readonly onCarriedOut?: (carried: CarriedOut) => void;
  /** Called with each delivery, and each record, of what this process carried out. Without it nothing is collected. */
  readonly onEach?: (deliveries: readonly CarriedDelivery[], records: readonly ObservedRecord[]) => void;
  /** Deliveries are kept at once, and the log of one machine is carried out from the time when this resolves; default at once. */
  readonly carryOutAfter?: Promise<void>;
  /** Called while it closes, when deliveries of the log could not be carried out in time: the next process does it. */
  readonly onLeft?: (deliveries: number) => void;
  /** This process wrote rows of the outbox; called after their commit. Those of other processes are not told. */
  readonly onNews?: () => void;
}
