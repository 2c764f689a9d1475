import type { Environment } from '../../../src/domain/environment.ts';
import type { RecordKind } from '../../../src/domain/records/lifecycle.ts';
import type { LineType, StatementKind } from '../../../src/domain/statements/lines.ts';

/*
 * The words of a month with a known answer. A *story* is one piece of business (a payment, a refund, a batch) or one planted
 * fault: it adds records, lines of files, what we book, and what a reconciliation must say of it. All amounts are minor units.
 */

export interface AccountName {
  readonly name: string;
  readonly kind: StatementKind;
  readonly environment: Environment;
  readonly currency: string;
}

/** A record of ours as the service tells it. */
export interface OurRecord {
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly reference: string;
  /** By the service. */
  readonly status: string;
  readonly currency: string;
  readonly amount: bigint;
  /** Of a collection: fees with their tax. */
  readonly fee: bigint;
  readonly duty: bigint;
  /** The day, in Lagos, that it belongs to. */
  readonly day: string;
  /** Times as the service writes them: of the beginning, and of the outcome (null: not settled). */
  readonly beganAt: string;
  readonly endedAt: string | null;
  readonly sessionId: string | null;
  readonly transactionReference: string | null;
  /** More members of `data`, by the webhooks and by the status endpoint. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Where the webhooks told something else than the endpoint: status and members of `data` of each. */
  readonly webhooks: readonly (readonly [status: string, data: Readonly<Record<string, unknown>>])[] | null;
}

/** A line of a file. */
export interface FileLine {
  readonly account: AccountName;
  readonly day: string;
  readonly type: LineType;
  /** What moves the balance. */
  readonly amount: bigint;
  /** Positive when charged; null: the file does not say it. */
  readonly fee: bigint | null;
  readonly tax: bigint | null;
  readonly duty: bigint | null;
  readonly reference: string | null;
  readonly sessionId: string | null;
  readonly transactionReference: string | null;
  readonly group: string | null;
  /** A type word that no profile knows. */
  readonly word: string | null;
  /** The text of the amount's cell, where it cannot be read. */
  readonly unreadable: string | null;
  /** Orders lines of one day. */
  readonly sequence: number;
}

export const PROOF_ROWS = [
  'opening',
  'collections',
  'fees',
  'tax',
  'duty',
  'refunds',
  'refund_fees',
  'reserves',
  'payouts',
  'reversals',
  'top_ups',
  'settlements',
  'chargebacks',
  'adjustments',
  'other',
  'closing',
] as const;
export type ProofRow = (typeof PROOF_ROWS)[number];

/** What a reconciliation must list. A member that is missing here is not settled by the specification, and is not compared. */
export interface ExpectedItem {
  readonly list: 'breaks' | 'timing' | 'suggested';
  readonly code: string;
  readonly sub?: string | null;
  readonly leg?: string | null;
  readonly side?: 'ours' | 'theirs';
  readonly kind?: string | null;
  readonly environment: Environment;
  /** Null: of no account, such as a finding. */
  readonly account?: string | null;
  readonly reference?: string | null;
  readonly field?: string;
  readonly currency?: string;
  readonly ours?: string | null;
  readonly theirs?: string | null;
  readonly variance?: string | null;
  readonly effect?: bigint;
  /** One of them is named. */
  readonly lines?: readonly FileLine[];
  readonly candidates?: readonly string[];
  /** Which plant it belongs to, for the message. */
  readonly plant: string;
}

/** What the statement's side of the proof adds a line to. */
export const ROW_OF_TYPE: Readonly<Record<LineType, ProofRow>> = {
  collection: 'collections',
  refund: 'refunds',
  collection_reversal: 'reversals',
  reserve: 'reserves',
  release: 'reserves',
  payout: 'payouts',
  payout_reversal: 'reversals',
  refund_reversal: 'refunds',
  fee: 'fees',
  tax: 'tax',
  duty: 'duty',
  chargeback: 'chargebacks',
  chargeback_reversal: 'chargebacks',
  settlement: 'settlements',
  top_up: 'top_ups',
  transfer: 'other',
  conversion: 'other',
  adjustment: 'adjustments',
  other: 'other',
};
