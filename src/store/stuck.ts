import type { Outcome } from '../domain/checks/check.ts';
import type { Environment } from '../domain/environment.ts';
import type { RecordKind } from '../domain/records/lifecycle.ts';
import type { CheckState, Count, RecordSummary } from './records.ts';

/* The part of the port that lists records that do not settle. Times are milliseconds since 1970. */

export interface StuckFilter {
  readonly environment?: Environment;
  readonly kind?: RecordKind;
  /** First seen before this and not settled; records whose attempts are used up count at any age. */
  readonly firstSeenBeforeMs: number;
}

export interface StuckRecord extends RecordSummary {
  /** Null before the first status check. */
  readonly check: CheckState | null;
}

/** Outcomes of a failing or missing endpoint; their records are never stuck (decision 72). */
export const UNCONFIRMED_OUTCOMES = ['unproven', 'unconfirmable'] as const satisfies readonly Outcome[];

/** Records that cannot be confirmed, and are not stuck for that reason. */
export interface Unconfirmed {
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly because: (typeof UNCONFIRMED_OUTCOMES)[number];
  readonly records: number;
  /** Counting stopped at its limit; there are more. */
  readonly atLeast: boolean;
}

/** The read side; part of `Archive`. */
export interface StuckArchive {
  /** In the order of ids, beyond record `afterId` if given (ids belong to a kind, so `filter.kind` must be given too). */
  readonly stuck: (
    filter: StuckFilter,
    page: { readonly afterId?: number; readonly limit: number },
  ) => Promise<StuckRecord[]>;
  readonly countStuck: (filter: StuckFilter) => Promise<Count>;
  readonly unconfirmed: (filter: StuckFilter) => Promise<Unconfirmed[]>;
}
