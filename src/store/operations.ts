import type { Backfills } from './backfills.ts';
import type { Checks } from './checks.ts';
import type { Jobs } from './jobs.ts';
import type { Pruning } from './pruning.ts';
import type { Tracking } from './tracking.ts';

/** Counters that never go back. */
export const COUNTERS = ['check', 'job'] as const;

/*
 * The part of the port that jobs and commands use: every write that is not the receipt of a delivery. Each method takes one
 * plain value and returns one, so that it can be called across threads.
 */
export interface Operations {
  readonly checks: Checks;
  readonly backfills: Backfills;
  readonly tracking: Tracking;
  readonly jobs: Jobs;
  readonly pruning: Pruning;
}

/** Calls one method of one group, on this thread or another; rejects with a StoreError. */
export type CallOperation = (group: keyof Operations, method: string, input: unknown) => Promise<unknown>;

/** Calls one method of one group on this thread. Throws a StoreError. */
export type CallOperationNow = (group: keyof Operations, method: string, input: unknown) => unknown;

const METHODS = {
  checks: ['lease', 'finish', 'release', 'countDue', 'listDue', 'confirmedStatus', 'prove', 'proven'],
  backfills: ['begin', 'record', 'preview', 'judge', 'finish'],
  tracking: ['track', 'forget', 'review'],
  jobs: ['plan', 'leaseDue', 'begin', 'renew', 'finish', 'states'],
  pruning: ['survey', 'prune', 'forgetAddresses', 'space'],
} as const satisfies { readonly [Group in keyof Operations]: readonly (keyof Operations[Group])[] };

/** The port as calls of `call`. */
export function operationsOver(call: CallOperation): Operations {
  const groups = Object.entries(METHODS).map(([group, methods]) => {
    const called = methods.map((method) => [
      method,
      (input: unknown) => call(group as keyof Operations, method, input),
    ]);
    return [group, Object.fromEntries(called)];
  });
  return Object.fromEntries(groups) as Operations;
}
