import type { AckCounts } from '../domain/health/ack-times.ts';
import { DAY_MS } from '../time/clock.ts';

/*
 * The part of the port for samples of how well things go: one at each run of the health job, kept for some weeks. Times are milliseconds
 * since 1970, by the store's own clock.
 */

/** How things stood when the job ran. */
export interface HealthFacts {
  /** Acknowledgements of the `serve` that ran the job, since it was asked before; null: no `serve` ran it. */
  readonly acks: AckCounts | null;
  /** Refused requests so far. */
  readonly refused: number;
  /** Records first seen in the last 7 days that are settled, and those of them that a status check settled before a webhook. */
  readonly settled: number;
  readonly swept: number;
  readonly databaseBytes: number;
  readonly logBytes: number;
  /** Of the disk that holds the database; null where it cannot be asked. */
  readonly freeBytes: number | null;
}

export interface HealthSample extends HealthFacts {
  readonly atMs: number;
}

/** Samples are kept for this long, and no more of them than this, however often the job runs. */
export const SAMPLES_KEPT_MS = 35 * DAY_MS;
export const MOST_SAMPLES = 5_000;

/** One group of the operations. */
export interface Health {
  /** Keeps a sample, and deletes what is too old or too many. */
  readonly sample: (facts: HealthFacts) => Promise<void>;
}

/** The read side; part of `Archive`. */
export interface HealthArchive {
  /** Samples since then, the oldest first. */
  readonly healthSamples: (since: { readonly sinceMs: number }) => Promise<HealthSample[]>;
}
