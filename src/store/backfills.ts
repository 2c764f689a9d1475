import type { Claim } from '../domain/claim.ts';
import type { Environment } from '../domain/environment.ts';

/*
 * The part of the port that walking the service's list of refunds needs. What a walk has read is written as it goes, and
 * stays true whatever becomes of the walk; absence is judged only at the end of a complete one. Times are milliseconds
 * since 1970.
 */

/** How a walk along the list ended. Only a complete one proves absence. */
export const BACKFILL_OUTCOMES = [
  'complete', // at its end, with every row read
  'unreadable', // at its end, but for rows that could not be read
  'limited', // at a limit of ours
  'stopped', // by a person
  'failed', // by an error, or the list never said all it announced
] as const;
export type BackfillOutcome = (typeof BACKFILL_OUTCOMES)[number];

export interface BackfillPlan {
  readonly environment: Environment;
  /** Refunds that have not changed since are not judged; null: since the start of the last walk that covers. */
  readonly sinceMs: number | null;
  /** Null `sinceMs` looks back so much further than that start (RELIABILITY P24). */
  readonly overlapMs: number;
  readonly nowMs: number;
}

export interface Backfill {
  readonly id: number;
  readonly sinceMs: number;
}

/** One row of the list, read: what the service says of one refund, in passing. */
export interface ListedRefund {
  readonly reference: string;
  readonly claim: Claim;
  /** sha256 (hex) of the canonical row. */
  readonly digest: string;
  /** The latest time it names; null when it names none that can be read. */
  readonly latestMs: number | null;
}

export interface ListedRows {
  readonly backfillId: number;
  readonly rows: readonly ListedRefund[];
  /** Rows that end before this make no record; those of refunds we know count all the same. */
  readonly createSinceMs: number;
  readonly nowMs: number;
}

/** What became of rows. */
export interface Recorded {
  /** References of refunds nobody had told us of: records now, and due. */
  readonly created: readonly string[];
  /** Refunds that we knew. */
  readonly known: number;
  /** Of these, the ones about which the row says something else than we knew: due now. */
  readonly news: number;
  /** Refunds we have never heard of that are older than we were asked for. */
  readonly older: number;
}

/** One stretch of the refunds we know, judged by their absence. */
export interface Judged {
  /** Go on after this id; null when all are judged. */
  readonly afterId: number | null;
  /** Should have been listed, and were not. */
  readonly missed: number;
  /** Of these, the ones that a complete walk had missed before: a finding each. */
  readonly absent: number;
}

export interface FinishedBackfill {
  readonly backfillId: number;
  readonly outcome: BackfillOutcome;
  /** Why it did not reach the end; never a secret, never a body. */
  readonly detail: string | null;
  readonly rows: number;
  readonly unreadable: number;
  readonly created: number;
  readonly nowMs: number;
}

export interface Backfills {
  begin(plan: BackfillPlan): Promise<Backfill>;
  /** Writes rows down: records, observations of witness `list`, and that they were listed. */
  record(rows: ListedRows): Promise<Recorded>;
  /** What `record` would do; nothing is written. */
  preview(rows: Omit<ListedRows, 'backfillId'> & { readonly environment: Environment }): Promise<Recorded>;
  /** Counts absences, stretch by stretch; only for a complete walk. */
  judge(stretch: { readonly backfillId: number; readonly afterId: number; readonly nowMs: number }): Promise<Judged>;
  finish(finished: FinishedBackfill): Promise<void>;
}
