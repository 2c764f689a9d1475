import type { ChargeRow } from '../../store/scratch/charges.ts';

/*
 * The audit of fees, tax and stamp duty: what the service charged against what the schedule says. All amounts are minor units of
 * the row's currency; what was charged is positive.
 */

/** A record with what it was charged, by a statement or by the service itself. Each charge comes once. */
export type ChargedRow = ChargeRow;

/** What a row can be charged, each held against the schedule by itself. */
export type ChargePart = 'fee' | 'tax' | 'fee with tax' | 'duty';

/** One figure of a row that has a counterpart in the schedule. */
export interface JudgedPart {
  readonly part: ChargePart;
  readonly charged: bigint;
  readonly schedule: bigint;
}

/** A row that was charged otherwise than the schedule says: a line of a claim. */
export interface AuditLine {
  readonly row: ChargedRow;
  /** Every figure that could be judged, also those that are as the schedule says. */
  readonly parts: readonly JudgedPart[];
  /** Of the figures that the row states and the schedule has. */
  readonly charged: bigint;
  readonly schedule: bigint;
  /** charged − schedule: positive is too much. */
  readonly difference: bigint;
  /** `fee 15.00, schedule says 12.50`. */
  readonly reason: string;
}
