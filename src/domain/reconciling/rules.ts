import { RECORD_KINDS, type RecordKind } from '../records/lifecycle.ts';
import type { LineType, StatementKind } from '../statements/lines.ts';

/*
 * The rules of matching, as a rules file gives them (templates/rules/standard.yaml): which rows are held against which, by
 * what, within what, and until when. Units are always written out.
 */

/** What can stand on our side of a leg: records, settlement batches, or top-ups of a wallet. */
export const OUR_KINDS = [...RECORD_KINDS, 'batch', 'top_up'] as const;
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

/** What these passes look for, each side of a leg can offer; any other pass can never take a row there. */
export const PASSES_OF = {
  records: ['reference', 'session_id', 'transaction_reference_and_amount', 'amount_and_date'],
  batches: ['reference', 'group', 'settlement_day', 'amount_and_date'],
  topUps: ['reference', 'session_id', 'amount_and_date'],
} as const satisfies Record<string, readonly Pass[]>;

/** One of the two. A business day ends at the cut-off. */
export type Term = { readonly hour: number } | { readonly business_day: number };

/** Two sides that are held against each other. */
export interface Leg {
  readonly name: string;
  /** Our side: records of these kinds, or lines of another statement: its batches, or its top-ups. */
  readonly ours:
    | {
        readonly records: readonly RecordKind[];
        /** Those of them that are compared where a line shows them: without one, nothing is missing. */
        readonly optional?: readonly RecordKind[];
      }
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
  /** Fees are charged in lines without a reference, one for the payments of these days; null: each with its payment. */
  readonly invoiced: Invoiced | null;
}

/** Whose fees a line without a reference charges: those of its day, of its month, or of the month before. */
export const INVOICED = ['day', 'month', 'previous_month'] as const;
export type Invoiced = (typeof INVOICED)[number];

/** What the service should charge, from a day to a day (docs/reconciliation.md, Fee schedule and audit). */
export interface FeeRule {
  readonly from: string;
  /** The last day; null: until further notice. */
  readonly to: string | null;
  readonly kind: RecordKind;
  /** Null: every channel that has no rule of its own for the day. */
  readonly channel: string | null;
  readonly currency: string;
  /** Of the amount, as exact decimal text: "1.5". */
  readonly percent: string;
  readonly fixed: bigint;
  /** The most and the least of percent and fixed together, before tax. Null: no limit. */
  readonly cap: bigint | null;
  readonly minimum: bigint | null;
  /** Of the fee. Null: the schedule does not say it, and tax is not judged. */
  readonly tax: { readonly percent: string } | null;
  /**
   * From this amount on, and who bears it: the merchant's are charged to the wallet. Null: the schedule does not say it, and duty
   * is not judged.
   */
  readonly duty: {
    readonly threshold: bigint;
    readonly amount: bigint;
    readonly bearer: (typeof BEARERS)[number];
  } | null;
  /** Of the fee; tax is always rounded half up. */
  readonly rounding: Rounding;
}

export const ROUNDINGS = ['half_up', 'half_even'] as const;
export type Rounding = (typeof ROUNDINGS)[number];

export const BEARERS = ['merchant', 'customer'] as const;

export interface Rules {
  readonly name: string;
  /** The text of the file, followed by that of its calendar. */
  readonly text: string;
  /** sha256 of `text`: `cat rules.yaml holidays.txt | sha256sum`. */
  readonly digest: string;
  readonly legs: readonly Leg[];
  /** Days without business, `yyyy-MM-dd`, beside Saturday and Sunday. */
  readonly holidays: ReadonlySet<string>;
  /** Where a business day ends, in minutes after midnight; null: as the command says. */
  readonly cutOffMinutes: number | null;
  readonly schedule: readonly FeeRule[];
}
