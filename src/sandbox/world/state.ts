import type { ChaosState } from './chaos-rules.ts';
import type { Job } from './job.ts';
import type { Money } from './money.ts';
import type { Collection, Currency, Merchant, Payout, Refund } from './records.ts';
import type { Webhook } from './webhook.ts';

/** Everything a sandbox keeps: a snapshot holds it, a reset empties it. */
export interface State {
  readonly seed: number;
  /** Ids issued so far, by kind; an id depends on the seed, its kind and this count only. */
  readonly sequences: Record<string, number>;
  lastStampMicros: number;
  readonly merchants: Merchant[];
  /** By scope and reference; `collectionIds` maps an id to that key. */
  readonly collections: Map<string, Collection>;
  readonly collectionIds: Map<string, string>;
  readonly refunds: Map<string, Refund>;
  /** Refund references of a scope, oldest first. */
  readonly refundOrder: Map<string, string[]>;
  /** Scope and idempotency key → the refund made with it and the digest of the request. */
  readonly idempotency: Map<string, { readonly refund: string; readonly digest: string }>;
  readonly payouts: Map<string, Payout>;
  readonly books: Books;
  readonly webhooks: Map<string, Webhook>;
  chaos: ChaosState;
  /** Filled only while a snapshot is taken; at all other times the clock holds the jobs. */
  jobs: Job[];
  nowMs: number;
}

/** The ledger: balances by account key, the kept entries, and the lots of each scope and currency. */
export interface Books {
  readonly accounts: Map<string, Money>;
  entries: Entry[];
  entriesDropped: number;
  readonly lots: Map<string, Lot[]>;
}

export interface Entry {
  readonly at: string;
  readonly scope: string;
  readonly currency: Currency;
  readonly from: AccountName;
  readonly to: AccountName;
  readonly amount: Money;
  readonly reason: string;
  readonly reference: string;
}

/** Collected money that settles at one moment. The lots of a scope and currency add up to pending + reserved_pending. */
export interface Lot {
  readonly id: string;
  amount: Money;
  readonly settlesAtMs: number;
}

/** Accounts outside the merchants; only these may be below zero. */
export const OUTSIDE = ['customers', 'beneficiaries', 'fees', 'operator'] as const;
export type AccountName =
  | 'available'
  | 'pending'
  | 'reserved_available'
  | 'reserved_pending'
  | `wallet:${string}`
  | (typeof OUTSIDE)[number];

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
