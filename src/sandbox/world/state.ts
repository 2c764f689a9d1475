import type { Books } from '../business/ledger.ts';
import type { Collection, Merchant, Payout, Refund } from '../business/records.ts';
import type { ChaosState } from '../chaos/rules.ts';
import type { Webhook } from '../webhooks/queue.ts';
import type { Job } from './job-heap.ts';

/** Everything a sandbox knows: what a snapshot holds and a reset empties. */
export interface State {
  readonly seed: number;
  /** Ids given out, by kind; with the seed it makes every id repeatable, whatever other kinds were given out. */
  readonly sequences: Record<string, number>;
  lastStampMicros: number;
  readonly merchants: Merchant[];
  /** By scope and reference; `collectionIds` by id. */
  readonly collections: Map<string, Collection>;
  readonly collectionIds: Map<string, string>;
  readonly refunds: Map<string, Refund>;
  /** Refund references of a scope, oldest first. */
  readonly refundOrder: Map<string, string[]>;
  /** Scope and idempotency key → the refund it made and the digest of what was asked. */
  readonly idempotency: Map<string, { readonly refund: string; readonly digest: string }>;
  readonly payouts: Map<string, Payout>;
  readonly books: Books;
  readonly webhooks: Map<string, Webhook>;
  chaos: ChaosState;
  /** Filled only while a snapshot is taken; the clock holds the living jobs. */
  jobs: Job[];
  nowMs: number;
}

export function emptyState(seed: number): State {
  return {
    seed,
    sequences: {},
    lastStampMicros: 0,
    merchants: [],
    collections: new Map(),
    collectionIds: new Map(),
    refunds: new Map(),
    refundOrder: new Map(),
    idempotency: new Map(),
    payouts: new Map(),
    books: { accounts: new Map(), entries: [], entriesDropped: 0, lots: new Map() },
    webhooks: new Map(),
    chaos: { rules: [], counts: {}, log: [] },
    jobs: [],
    nowMs: 0,
  };
}
