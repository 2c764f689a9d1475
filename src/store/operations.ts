import type { Backfills } from './backfills.ts';
import type { Checks } from './checks.ts';
import { StoreError } from './error.ts';
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

/** The operations as an engine carries them out on its own thread: the same methods, which return at once. Throw a StoreError. */
export type OperationsNow = {
  readonly [Group in keyof Operations]: {
    readonly [Method in keyof Operations[Group]]: Now<Operations[Group][Method]>;
  };
};

type Now<Method> = Method extends (...input: infer Input) => Promise<infer Result>
  ? (...input: Input) => Result
  : never;

/** Calls one method of one group, on this thread or another; rejects with a StoreError. */
export type CallOperation = (group: keyof Operations, method: string, input: unknown) => Promise<unknown>;

/** Calls one method of one group on this thread. Throws a StoreError. */
export type CallOperationNow = (group: keyof Operations, method: string, input: unknown) => unknown;

/** Every method of the port: one that is missing or misspelt does not compile. */
const METHODS: { readonly [Group in keyof Operations]: Readonly<Record<keyof Operations[Group], true>> } = {
  checks: {
    lease: true,
    finish: true,
    release: true,
    countDue: true,
    listDue: true,
    confirmedStatus: true,
    prove: true,
    proven: true,
  },
  backfills: { begin: true, record: true, preview: true, judge: true, finish: true },
  tracking: { track: true, forget: true, review: true },
  jobs: { plan: true, leaseDue: true, begin: true, renew: true, finish: true, states: true },
  pruning: { survey: true, prune: true, forgetAddresses: true, space: true },
};

/** The port as calls of `call`. */
export function operationsOver(call: CallOperation): Operations {
  const groups = Object.entries(METHODS).map(([group, methods]) => {
    const called = Object.keys(methods).map((method) => [
      method,
      (input: unknown) => call(group as keyof Operations, method, input),
    ]);
    return [group, Object.fromEntries(called)];
  });
  return Object.fromEntries(groups) as Operations;
}

/** The other end of `operationsOver`: carries out the calls with `operations`. */
export function callsOf(operations: OperationsNow): CallOperationNow {
  return (group, method, input) => {
    const methods: Readonly<Record<string, (input: never) => unknown>> = operations[group] ?? {};
    if (!Object.hasOwn(methods, method))
      throw new StoreError('other', `The store has no operation ${group}.${method}.`);
    return methods[method]?.(input as never);
  };
}
