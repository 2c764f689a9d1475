import type { Environment } from '../domain/environment.ts';
import type { WalkCounts } from './backfill-result.ts';

/** How to walk, and how far. */
export interface BackfillOrder {
  /** Environments without keys are left out. */
  readonly environments: readonly Environment[];
  /** Refunds without a record whose latest time is before this get none; null: all get one. */
  readonly sinceMs: number | null;
  /** Without `sinceMs`, absence is judged from this long before the last walk that covers (RELIABILITY P24). */
  readonly overlapMs: number;
  readonly maxPages: number;
  readonly maxRows: number;
  readonly maxMs: number;
  /** Pages per second at most; null: as fast as the answers come. */
  readonly perSecond: number | null;
  /** An outage this long ends the walk. */
  readonly giveUpMs: number;
  /** Walks, and writes nothing. */
  readonly dryRun: boolean;
}

export interface BackfillProgress {
  readonly environment: Environment;
  /** What the walk did so far. */
  readonly counts: WalkCounts;
  /** Rows in all, when the list has the number. */
  readonly total: number | null;
  /** Why the walk waits; null while it goes on. */
  readonly problem: string | null;
}
