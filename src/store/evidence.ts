import type { Claim } from '../domain/claim.ts';
import type { Environment } from '../domain/environment.ts';
import type { Expectation } from '../domain/expectation.ts';
import type { RecordKind } from '../domain/lifecycle.ts';
import type { Witness } from '../domain/observation.ts';
import type { Outcome } from './checks.ts';
import type { RecordSummary } from './store.ts';

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

/** What the merchant told us to expect of a record, and since when we know. */
export interface TrackedExpectation extends Expectation {
  readonly trackedAtMs: number;
}

/** Which records are waited for in vain. */
export interface StuckFilter {
  readonly environment?: Environment;
  readonly kind?: RecordKind;
  /** First seen before this and not settled; records whose attempts are used up count whatever their age. */
  readonly firstSeenBeforeMs: number;
  readonly nowMs: number;
}

export interface StuckRecord extends RecordSummary {
  /** Null: nobody has ever asked about it. */
  readonly asking: Asking | null;
}

/** Outcomes that count against the endpoint, or say that there is none; their records are never stuck (decision 72). */
export const UNCONFIRMED_OUTCOMES = ['unproven', 'unconfirmable'] as const satisfies readonly Outcome[];

/** Records that nobody could confirm, and that are not stuck for it. */
export interface Unconfirmed {
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly because: (typeof UNCONFIRMED_OUTCOMES)[number];
  readonly records: number;
  /** There are more; counting stopped. */
  readonly atLeast: boolean;
}

/** What the read side tells of asking; part of `Archive`. */
export interface EvidenceArchive {
  /** The oldest first, beyond record `afterId` where one is given (ids are of one kind: `filter.kind` is given too). */
  stuck(filter: StuckFilter, page: { readonly afterId?: number; readonly limit: number }): Promise<StuckRecord[]>;
  unconfirmed(filter: StuckFilter): Promise<Unconfirmed[]>;
}
