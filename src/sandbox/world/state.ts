import type { ChaosState } from './chaos-rules.ts';
import type { Job } from './job.ts';
import type { Money } from './money.ts';
import type { Collection, Currency, Environment, Merchant, Payout, Refund } from './records.ts';
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

/**
 * The ledger: balances by account key, the kept entries, and, for each scope and currency, the lots and the movements that
 * wait for a settlement batch.
 */
export interface Books {
  readonly accounts: Map<string, Money>;
  entries: Entry[];
  entriesDropped: number;
  /** Stamp of the last entry that was dropped; empty when none was. */
  droppedUntil: string;
  readonly lots: Map<string, Lot[]>;
  readonly unbatched: Map<string, Member[]>;
  /** By their id, oldest first. */
  readonly batches: Map<string, Batch>;
  readonly chargebacks: Map<string, Chargeback>;
}

/** What an entry is for, in the words of docs/sandbox.md. */
export const ENTRY_TYPES = [
  'collection',
  'refund',
  'collection_reversal',
  'reserve',
  'release',
  'payout',
  'payout_reversal',
  'fee',
  'tax',
  'duty',
  'chargeback',
  'chargeback_reversal',
  'settlement',
  'top_up',
  'transfer',
  'adjustment',
] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

export interface Entry {
  readonly at: string;
  readonly scope: string;
  readonly currency: Currency;
  readonly from: AccountName;
  readonly to: AccountName;
  readonly amount: Money;
  readonly type: EntryType;
  readonly reason: string;
  readonly reference: string;
}

/** Collected money that settles at one moment. The lots of a scope and currency add up to pending + reserved_pending. */
export interface Lot {
  readonly id: string;
  amount: Money;
  readonly settlesAtMs: number;
}

/** A movement of the balance that a settlement batch pays to the bank, or nets: `gross` − `fee` − `tax` = `net`, signed. */
export interface Member {
  readonly type: 'collection' | 'refund' | 'collection_reversal' | 'chargeback' | 'chargeback_reversal';
  readonly reference: string;
  /** The collection that a refund, a reversal or a chargeback belongs to. */
  readonly transactionReference: string;
  readonly at: string;
  readonly gross: Money;
  readonly fee: Money;
  readonly tax: Money;
  readonly net: Money;
  /** The cut-off at which it is paid, if the available balance covers it. */
  dueMs: number;
}

/** One payment to the merchant's bank; the nets of its members add up to `amount`. */
export interface Batch {
  readonly id: string;
  readonly scope: string;
  readonly currency: Currency;
  readonly at: string;
  readonly amount: Money;
  readonly members: readonly Member[];
}

export interface Chargeback {
  readonly reference: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly transactionReference: string;
  readonly currency: Currency;
  readonly amount: Money;
  status: 'open' | 'reversed';
}

/** Accounts outside the merchants; these may be below zero, and so may a merchant's bank account, which has an overdraft. */
export const OUTSIDE = ['customers', 'beneficiaries', 'fees', 'tax', 'operator'] as const;
export type AccountName =
  | 'available'
  | 'pending'
  | 'reserved_available'
  | 'reserved_pending'
  | 'bank'
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
    books: {
      accounts: new Map(),
      entries: [],
      entriesDropped: 0,
      droppedUntil: '',
      lots: new Map(),
      unbatched: new Map(),
      batches: new Map(),
      chargebacks: new Map(),
    },
    webhooks: new Map(),
    chaos: { rules: [], counts: {}, log: [] },
    jobs: [],
    nowMs: 0,
  };
}
