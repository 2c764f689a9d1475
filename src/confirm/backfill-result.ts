import type { Environment } from '../domain/environment.ts';
import type { BackfillOutcome } from '../store/backfills.ts';

/** What one walk along the list of one environment did, in counts of rows. */
export interface WalkResult {
  readonly environment: Environment;
  readonly outcome: BackfillOutcome;
  /** Why it did not reach the end, or could not read everything. */
  readonly detail: string | null;
  /** Refunds that have not changed since were not judged by their absence; null when none were judged. */
  readonly sinceMs: number | null;
  readonly pages: number;
  /** Rows of the list, each refund once. */
  readonly rows: number;
  /** Refunds nobody had told us of; with `dryRun`, those that would become records. */
  readonly created: number;
  /** The first CREATED_SHOWN of them. */
  readonly createdReferences: readonly string[];
  readonly known: number;
  /** Of these, the ones about which the row said something else than we knew: asked about at once. */
  readonly news: number;
  /** Never heard of, and older than we were asked for. */
  readonly older: number;
  /** Rows without a usable reference or status. */
  readonly unreadable: number;
  /** Refunds that we know, that should be in the list, and are not. */
  readonly missed: number;
  /** Of these, the ones that an earlier complete walk had missed too: a finding each. */
  readonly absent: number;
  readonly tookMs: number;
}

export const CREATED_SHOWN = 100;

export interface BackfillResult {
  readonly dryRun: boolean;
  /** One for each environment that has keys. */
  readonly walks: readonly WalkResult[];
}

/** It was cut short somewhere: what is missing may still exist. */
export function cutShort({ walks }: BackfillResult): boolean {
  return walks.some(({ outcome }) => outcome !== 'complete' && outcome !== 'unreadable');
}

/** There is something for a person to look at. */
export function foundSomething({ walks }: BackfillResult): boolean {
  return walks.some(({ absent, unreadable }) => absent + unreadable > 0);
}
