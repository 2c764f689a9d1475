import type { JournalAccount } from '../journal/words.ts';
import type { RecordKind } from '../records/lifecycle.ts';

/*
 * What a line of a statement can be, which row of a balance proof it moves, and whose statement it stands in: each word once, with all
 * that is to be known of it. A word without one of these facts does not compile.
 */

interface RowOfProof {
  /** As a person reads it in a proof, and in an entry of the journal. */
  readonly name: string;
  readonly entry: string;
  /** The account of the journal against which it stands. */
  readonly contra: JournalAccount;
  /** A `sale` stands in the merchant's books, a `settlement` has its other side in another account. */
  readonly nature: 'sale' | 'settlement' | 'other';
}

const other = { contra: 'other', nature: 'other' } as const;

/** The rows of a balance proof between opening and closing, in its order (docs/reconciliation.md, The balance proof). */
export const PROOF = {
  collections: { name: 'Collections', entry: 'Collections', contra: 'sales', nature: 'sale' },
  fees: { name: 'Fees', entry: 'Fees', contra: 'fees', nature: 'other' },
  tax: { name: 'Tax', entry: 'Tax on fees', contra: 'input_tax', nature: 'other' },
  duty: { name: 'Duty', entry: 'Stamp duty', contra: 'duty', nature: 'other' },
  refunds: { name: 'Refunds', entry: 'Refunds', contra: 'refunds', nature: 'sale' },
  refund_fees: { name: 'Refund fees', entry: 'Fees of refunds', contra: 'fees', nature: 'other' },
  reserves: { name: 'Reserves', entry: 'Reserved for refunds', contra: 'refund_reserve', nature: 'other' },
  payouts: { name: 'Payouts', entry: 'Payouts', contra: 'payouts', nature: 'other' },
  reversals: { name: 'Reversals', entry: 'Reversed payouts', contra: 'payouts', nature: 'other' },
  top_ups: { name: 'Top-ups', entry: 'Top-ups', contra: 'other', nature: 'settlement' },
  settlements: { name: 'Settlements', entry: 'Settlements', contra: 'other', nature: 'settlement' },
  chargebacks: { name: 'Chargebacks', entry: 'Chargebacks', contra: 'chargebacks', nature: 'other' },
  adjustments: { name: 'Adjustments', entry: 'Adjustments', ...other },
  other: { name: 'Other', entry: 'Other movements', ...other },
} as const satisfies Readonly<Record<string, RowOfProof>>;
export type ProofRow = keyof typeof PROOF;
export const PROOF_ROWS = Object.keys(PROOF) as readonly ProofRow[];

/** A `hold` reserves money for a refund, or releases it. */
type Part = 'principal' | 'reversal' | 'hold' | 'charge' | 'chargeback';

interface Line {
  /** The row of the proof that it moves. */
  readonly row: ProofRow;
  /** What it is a line of; null: a charge goes with the line of its reference, others stand for themselves. */
  readonly of: RecordKind | 'batch' | 'top_up' | null;
  /** The kind of record that it belongs to; null: any, or none. */
  readonly record: RecordKind | null;
  /** Which component of its row of ours it is (docs/matching.md, Groups); null: none. */
  readonly part: Part | null;
  /** Whether it brings money or takes it; null: either. One that does not move as it should takes another back. */
  readonly moves: 1 | -1 | null;
}

const COLLECTION = { of: 'collection', record: 'collection' } as const;
const REFUND = { of: 'refund', record: 'refund' } as const;
const PAYOUT = { of: 'payout', record: 'payout' } as const;
const CHARGEBACK = { row: 'chargebacks', of: null, record: 'collection', part: 'chargeback' } as const;
const CHARGE = { of: null, record: null, part: 'charge', moves: null } as const;
const ALONE = { of: null, record: null, part: null, moves: null } as const;

/** What a line can be. A profile maps a file's own words to these. */
export const LINES = {
  collection: { row: 'collections', ...COLLECTION, part: 'principal', moves: 1 },
  refund: { row: 'refunds', ...REFUND, part: 'principal', moves: -1 },
  refund_reversal: { row: 'refunds', ...REFUND, part: 'reversal', moves: 1 },
  collection_reversal: { row: 'reversals', ...COLLECTION, part: 'reversal', moves: -1 },
  reserve: { row: 'reserves', ...REFUND, part: 'hold', moves: -1 },
  release: { row: 'reserves', ...REFUND, part: 'hold', moves: 1 },
  payout: { row: 'payouts', ...PAYOUT, part: 'principal', moves: -1 },
  payout_reversal: { row: 'reversals', ...PAYOUT, part: 'reversal', moves: 1 },
  fee: { row: 'fees', ...CHARGE },
  tax: { row: 'tax', ...CHARGE },
  duty: { row: 'duty', ...CHARGE },
  chargeback: { ...CHARGEBACK, moves: -1 },
  chargeback_reversal: { ...CHARGEBACK, moves: 1 },
  settlement: { row: 'settlements', of: 'batch', record: null, part: 'principal', moves: null },
  top_up: { row: 'top_ups', of: 'top_up', record: null, part: 'principal', moves: null },
  transfer: { row: 'other', ...ALONE },
  conversion: { row: 'other', ...ALONE },
  adjustment: { row: 'adjustments', ...ALONE },
  other: { row: 'other', ...ALONE },
} as const satisfies Readonly<Record<string, Line>>;
export type LineType = keyof typeof LINES;
export const LINE_TYPES = Object.keys(LINES) as readonly LineType[] as readonly [LineType, ...LineType[]];

export function typesOf(part: Part): readonly LineType[] {
  return LINE_TYPES.filter((type) => LINES[type].part === part);
}

/** Where money of the merchant is: kept by the service, on its way to a bank, there, or in the merchant's own books. */
type Stage = 'service' | 'transit' | 'bank' | 'books';

interface Role {
  /** Which money it shows: what is held against it, and how, follows from that. */
  readonly stage: Stage;
  /** Whether it is where the money lies: its balance is proven, and what it was charged counts. */
  readonly isMoney: boolean;
  /** The account of the journal that its movements enter; null: they enter none. */
  readonly journal: 'wallet' | 'wallet_pending' | 'bank' | null;
}

/** Wallet: the service's account of the merchant. Settlement: batches on the way to the bank. Ledger: the merchant's own books. */
export const STATEMENTS = {
  wallet: { stage: 'service', isMoney: true, journal: 'wallet' },
  settlement: { stage: 'transit', isMoney: false, journal: 'wallet_pending' },
  bank: { stage: 'bank', isMoney: true, journal: 'bank' },
  ledger: { stage: 'books', isMoney: false, journal: null },
} as const satisfies Readonly<Record<string, Role>>;
export type StatementKind = keyof typeof STATEMENTS;
export const STATEMENT_KINDS = Object.keys(STATEMENTS) as readonly StatementKind[] as readonly [
  StatementKind,
  ...StatementKind[],
];

export function isAt(kind: StatementKind, stage: Stage): boolean {
  return STATEMENTS[kind].stage === stage;
}

/** Whether the balance of an account is proven: of one where money lies always, of others where a file states a balance. */
export function isProven(kind: StatementKind, statesBalance: boolean): boolean {
  return STATEMENTS[kind].isMoney || statesBalance;
}
