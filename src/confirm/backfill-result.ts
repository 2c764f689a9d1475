import type { BackfillOutcome } from '../domain/checks/list-walk.ts';
import type { Environment } from '../domain/environment.ts';

/** What one walk of the list of one environment did, in counts of rows. */
export interface WalkCounts {
  readonly pages: number;
  /** Rows of the list, each refund once. */
  readonly rows: number;
  /** Refunds without a record: made now, or counted with `dryRun`. */
  readonly created: number;
  readonly known: number;
  /** Of these, the ones whose row differs from the record: a status check is due at once. */
  readonly news: number;
  /** Refunds without a record that are older than `sinceMs` of the order: left out. */
  readonly older: number;
  /** Rows without a usable reference or status. */
  readonly unreadable: number;
  /** Records that should be in the list, and are not. */
  readonly missed: number;
  /** Of these, the ones that were missing from the complete walk before too: a finding each. */
  readonly absent: number;
}

export interface WalkResult extends WalkCounts {
  readonly environment: Environment;
  readonly outcome: BackfillOutcome;
  /** Why the walk is not complete. */
  readonly detail: string | null;
  /** Refunds last changed before this were not checked for absence; null: no refund was. */
  readonly sinceMs: number | null;
  /** The query of the page where it began: the first one, or the last one of a walk that was cut short. */
  readonly firstPage: string;
  /** The first CREATED_SHOWN of `created`. */
  readonly createdReferences: readonly string[];
  readonly tookMs: number;
}

export const CREATED_SHOWN = 100;

export interface BackfillResult {
  readonly dryRun: boolean;
  /** One for each environment that has keys. */
  readonly walks: readonly WalkResult[];
}

/** Whether a walk did not reach the end of its list: refunds that are missing may still exist. */
export function cutShort({ walks }: BackfillResult): boolean {
  return walks.some(({ outcome }) => outcome === 'limited' || outcome === 'stopped' || outcome === 'failed');
}

/** Whether there is something for people to look at. */
export function foundSomething({ walks }: BackfillResult): boolean {
  return walks.some(({ absent, unreadable }) => absent + unreadable > 0);
}
