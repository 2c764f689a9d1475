import type { Amount } from '../domain/amount.ts';
import type { Claim } from '../domain/claim.ts';
import type { Witness } from '../domain/observation.ts';
import type { Outcome } from './confirmations.ts';

/*
 * The part of the port that tells what a record rests on: who claimed what of it, how it moved, how asking about it goes, and
 * what was expected of it. Only read. Times are milliseconds since 1970.
 */

export interface ObservationSummary {
  /** Which content of which event, or which answer. */
  readonly identity: string;
  readonly witness: Witness;
  readonly eventId: number | null;
  readonly eventKey: string;
  readonly status: string | null;
  readonly time: string | null;
  /** Of an answer: the counter of its question, when it came, and the sha256 (hex) of what was read. */
  readonly counter: number | null;
  readonly answeredAtMs: number | null;
  readonly digest: string | null;
  readonly claim: Claim;
}

/** The statuses of a record whose moves are kept. */
export const MOVING_FIELDS = ['reported', 'confirmed'] as const;

export interface Move {
  readonly atMs: number;
  readonly field: (typeof MOVING_FIELDS)[number];
  readonly from: string | null;
  readonly to: string | null;
  readonly gap: boolean;
}

/** How asking the service about a record goes; there is none before the first question. */
export interface Asking {
  readonly askedAtMs: number;
  /** Somebody is asking, until then at most; null when nobody is. */
  readonly leasedUntilMs: number | null;
  /** Questions since there was news of the record, and of these the latest ones without a usable answer. */
  readonly attempts: number;
  readonly failures: number;
  /** Of the latest question that ended; null while the first is out. */
  readonly outcome: Outcome | null;
  readonly detail: string | null;
  readonly outcomeAtMs: number | null;
  /** Since when the service's word is a settled status. */
  readonly settledAtMs: number | null;
  /** Since when the attempts are used up. */
  readonly stuckAtMs: number | null;
}

/** What the merchant told us to expect of a record. */
export interface Expectation {
  readonly amount: Amount | null;
  readonly currency: string | null;
  /** Never seen by then is a finding; null: no date. */
  readonly expectedByMs: number | null;
  readonly trackedAtMs: number;
}
