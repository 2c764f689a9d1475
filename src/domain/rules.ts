import type { RecordKind } from './lifecycle.ts';
import type { LineType, StatementKind } from './statement.ts';

/*
 * The rules of matching, as a rules file gives them (templates/rules/standard.yaml): which rows are held against which, by
 * what, within what, and until when. Units are always written out.
 */

/** What can stand on our side of a leg: records, settlement batches, or top-ups of a wallet. */
export const OUR_KINDS = ['refund', 'payout', 'collection', 'batch', 'top_up'] as const;
export type OurKind = (typeof OUR_KINDS)[number];

/** An ordered attempt to find the rows of both sides that belong together. */
export const PASSES = [
  'reference',
  'session_id',
  'transaction_reference_and_amount',
  'group',
  'settlement_day',
  'amount_and_date',
] as const;
export type Pass = (typeof PASSES)[number];

/** These passes only suggest: a person confirms. */
export const SUGGESTING_PASSES: ReadonlySet<Pass> = new Set(['settlement_day', 'amount_and_date']);

/** One of the two. A business day ends at the cut-off. */
export type Term = { readonly hour: number } | { readonly business_day: number };

/** Two sides that are held against each other. */
export interface Leg {
  readonly name: string;
  /** Our side: records of these kinds, or lines of another statement: its batches, or its top-ups. */
  readonly ours:
    | { readonly records: readonly RecordKind[] }
    | { readonly batches: 'settlement' }
    | { readonly topUps: 'wallet' };
  readonly theirs: { readonly statement: StatementKind; readonly types: readonly LineType[] };
  readonly compare: {
    /** Amounts are always exact. Of these, the largest difference that is no break, in minor units. */
    readonly fee: { readonly minor: bigint };
    readonly tax: { readonly minor: bigint };
    readonly duty: { readonly minor: bigint };
  };
  readonly due: { readonly default: Term; readonly statuses: Readonly<Record<string, Term>> };
  readonly passes: readonly Pass[];
}

/** What the service should charge, from a day to a day (RECONCILIATION 6, Fee schedule). */
export interface FeeRule {
  readonly from: string;
  /** The last day; null: until further notice. */
  readonly to: string | null;
  readonly kind: RecordKind;
  /** Null: every channel. */
  readonly channel: string | null;
  readonly currency: string;
  /** Of the amount, as exact decimal text: "1.5". */
  readonly percent: string;
  readonly fixed: bigint;
  /** The most and the least, before tax. */
  readonly cap: bigint | null;
  readonly minimum: bigint | null;
  readonly tax: { readonly percent: string } | null;
  /** From this amount on, and who bears it: the merchant's are charged to the wallet. */
  readonly duty: {
    readonly threshold: bigint;
    readonly amount: bigint;
    readonly bearer: 'merchant' | 'customer';
  } | null;
  readonly rounding: 'half_up' | 'half_even';
}

export interface Rules {
  readonly name: string;
  /** sha256 of the file's text, and of its calendar's. */
  readonly digest: string;
  readonly legs: readonly Leg[];
  /** Days without business, `yyyy-MM-dd`, beside Saturday and Sunday. */
  readonly holidays: ReadonlySet<string>;
  /** Where a business day ends, in minutes after midnight; null: as the command says. */
  readonly cutOffMinutes: number | null;
  readonly schedule: readonly FeeRule[];
}
