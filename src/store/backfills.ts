import type { BackfillOutcome } from '../domain/checks/list-walk.ts';
import type { ListedRefund, Recorded } from '../domain/checks/listed-refund.ts';
import type { Environment } from '../domain/environment.ts';
import type { Cursor } from './cursor.ts';

/*
 * The part of the port for backfills: walks along the service's list of refunds. Rows are written as they are read, and stay
 * true when the walk breaks off; absence is judged only at the end of a complete walk. Times are milliseconds since 1970; a
 * page is named by its query.
 */

export interface BackfillPlan {
  readonly environment: Environment;
  /** Only refunds changed since then are judged; null: since the start of the last walk that covers. */
  readonly sinceMs: number | null;
  /** With null `sinceMs` the window begins this long before that start (RELIABILITY P24). */
  readonly overlapMs: number;
}

export interface Backfill {
  readonly id: number;
  readonly sinceMs: number;
  /** Where to begin: the last page of a walk that was cut short, else the first one. With `sinceMs` of the plan always that. */
  readonly firstPage: string;
}

export interface ListedRows {
  readonly backfillId: number;
  readonly rows: readonly ListedRefund[];
  /** Rows whose latest time is before this make no record; rows of known refunds count at any age. */
  readonly createSinceMs: number;
  /** The last page whose rows are all among these or were written before: a later walk may go on there. Null: there is none. */
  readonly lastPage: string | null;
}

/** Rows of which only the effect is asked. */
export type PreviewedRows = Omit<ListedRows, 'backfillId' | 'lastPage'> & { readonly environment: Environment };

/** The result of judging one stretch of the known refunds by their absence. */
export interface Judged {
  /** Where the next stretch begins; null when all are judged. */
  readonly next: Cursor | null;
  /** Refunds that should have been listed and were not. */
  readonly missed: number;
  /** Of these, refunds that the complete walk before had missed too: a finding each. */
  readonly absent: number;
}

export interface FinishedBackfill {
  readonly backfillId: number;
  readonly outcome: BackfillOutcome;
  /** Why the walk did not reach the end; never a secret, never a body. */
  readonly detail: string | null;
  readonly rows: number;
  readonly unreadable: number;
  readonly created: number;
  /** As in ListedRows. Null: there is no page to go on with, also when `record` kept one. */
  readonly lastPage: string | null;
}

export interface Backfills {
  readonly begin: (plan: BackfillPlan) => Promise<Backfill>;
  /** Writes rows: records, observations of witness `list`, and when each refund was listed. */
  readonly record: (rows: ListedRows) => Promise<Recorded>;
  /** What `record` would return; writes nothing. */
  readonly preview: (rows: PreviewedRows) => Promise<Recorded>;
  /**
   * Counts the absences of one stretch of the refunds that were known when the walk began; only for a complete walk. Begins
   * with the first stretch when `after` is null.
   */
  readonly judge: (stretch: { readonly backfillId: number; readonly after: Cursor | null }) => Promise<Judged>;
  readonly finish: (finished: FinishedBackfill) => Promise<void>;
}
