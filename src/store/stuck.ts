import type { Outcome } from '../domain/check.ts';
import type { Environment } from '../domain/environment.ts';
import type { RecordKind } from '../domain/lifecycle.ts';
import type { CheckState, RecordSummary } from './records.ts';

/* The part of the port that lists records that do not settle. Only read. Times are milliseconds since 1970. */

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
  readonly check: CheckState | null;
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

/** What the read side tells of check; part of `Archive`. */
export interface StuckArchive {
  /** The oldest first, beyond record `afterId` where one is given (ids are of one kind: `filter.kind` is given too). */
  stuck(filter: StuckFilter, page: { readonly afterId?: number; readonly limit: number }): Promise<StuckRecord[]>;
  unconfirmed(filter: StuckFilter): Promise<Unconfirmed[]>;
}
