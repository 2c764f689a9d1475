import type { Environment } from '../environment.ts';
import type { OurKind, Pass } from '../reconciling/rules.ts';
import { LINES, type LineType } from '../statements/lines.ts';

/*
 * The rows of both sides of a leg. Money is minor units of one currency; days are `yyyy-MM-dd`.
 */

/** A row of our side: a record, a settlement batch, or a top-up of a wallet. */
export interface OurRow {
  /** Of this run alone. */
  readonly id: number;
  readonly kind: OurKind;
  readonly environment: Environment;
  readonly currency: string;
  readonly reference: string;
  readonly status: string | null;
  /** The record in the store; null: it is none. */
  readonly recordId: number | null;
  /** Without direction, also of a batch. Null: not known. A collection: what was charged. */
  readonly amount: bigint | null;
  /** −1n: a batch or top-up that takes money from where its kind brings it, such as one whose refunds exceed its sales. */
  readonly direction: 1n | -1n;
  /** What a collection was to bring; null: the kind has none, or it is not known. */
  readonly requested: bigint | null;
  /** Fee and tax together; null: not said, or it has more decimals than the currency. */
  readonly fees: bigint | null;
  readonly duty: bigint | null;
  /** What a refund reserves. */
  readonly reserved: bigint | null;
  readonly channel: string | null;
  /** When it began: a refund reserves its money then. */
  readonly startDay: string;
  /** Its effective date, or when its status was learnt. */
  readonly day: string;
  /** No source states `day`: the line's date places it. */
  readonly isDayLearnt: boolean;
  /** The transaction that a refund gives back; null: not known, or another kind. */
  readonly transactionReference: string | null;
}

/** A line of a statement, as matching sees it. */
export interface TheirLine {
  /** In the store. */
  readonly id: number;
  readonly account: string;
  readonly type: LineType;
  readonly currency: string;
  /** Its own day. */
  readonly date: string;
  /** The first open day, where it came after the close of its own; null: in time. */
  readonly postsOn: string | null;
  /** What moves the balance. */
  readonly amount: bigint;
  /** Before fee, tax and duty, without direction. */
  readonly principal: bigint;
  readonly fee: bigint | null;
  readonly tax: bigint | null;
  readonly duty: bigint | null;
  readonly reference: string | null;
  /** The transaction that the line says it belongs to; null: not said. */
  readonly transactionReference: string | null;
  readonly statement: number;
  readonly row: number;
  readonly fingerprint: string;
  readonly occurrence: number;
  /** What found it; null: nothing. */
  readonly pass: Pass | 'person' | null;
}

/** The type of the line that has the amount of a row of ours: it says which row of the proof that moves, and which way. */
export const PRINCIPAL_TYPE = {
  collection: 'collection',
  refund: 'refund',
  payout: 'payout',
  batch: 'settlement',
  top_up: 'top_up',
} as const satisfies Readonly<Record<OurKind, LineType>>;

/** How a row moves the balance where its lines are; `account`: how a batch or top-up moves it there that brings money. */
export function directionOf({ kind, direction }: OurRow, account: bigint): bigint {
  const { moves } = LINES[PRINCIPAL_TYPE[kind]];
  return moves === null ? account * direction : BigInt(moves);
}

/** Ties never go by ids or arrival. */
export function compareLines(one: TheirLine, other: TheirLine): number {
  if (one.date !== other.date) return one.date < other.date ? -1 : 1;
  if (one.fingerprint !== other.fingerprint) return one.fingerprint < other.fingerprint ? -1 : 1;
  return one.occurrence - other.occurrence;
}
