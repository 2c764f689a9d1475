import TinyQueue from 'tinyqueue';

/** Work scheduled for a sandbox time. Plain data, so that a snapshot can hold it. */
export interface Job {
  readonly id: number;
  readonly dueMs: number;
  readonly kind: JobKind;
  readonly data: Readonly<Record<string, string>>;
}

export type JobKind =
  | 'resolve_collection'
  | 'settle_lot'
  | 'finish_payout'
  | 'reverse_payout'
  | 'pay_batch'
  | 'deliver';

/** Returns a queue of jobs by due time; jobs due at the same time keep the order in which they were scheduled. */
export function jobQueue(jobs: readonly Job[]): TinyQueue<Job> {
  // A copy, because the queue sorts its array in place.
  return new TinyQueue([...jobs], (one, other) => one.dueMs - other.dueMs || one.id - other.id);
}
