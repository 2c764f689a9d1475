import type { Credential } from '../domain/access/proof.ts';
import type { Alerts } from './alerts.ts';
import type { Aside } from './aside.ts';
import type { Backfills } from './backfills.ts';
import type { Checks } from './checks.ts';
import type { Exceptions } from './exceptions.ts';
import type { Intake } from './intake.ts';
import type { Jobs } from './jobs.ts';
import type { Log } from './lost-log.ts';
import type { Outbox } from './outbox.ts';
import type { Periods } from './periods.ts';
import type { Pruning } from './pruning.ts';
import type { Runs } from './runs.ts';
import type { Statements } from './statements.ts';
import type { Tracking } from './tracking.ts';
import type { Users } from './users.ts';

/*
 * The part of the port that jobs and commands use: every write that is not the receipt of a delivery. Each method takes one
 * plain value and returns one, so that it can be called across threads. A resolved write is on disk, and each element of a
 * list is written whole or not at all. What decides is in domain/: an engine reads facts, asks, and writes.
 */
export interface Operations {
  readonly checks: Checks;
  readonly backfills: Backfills;
  readonly tracking: Tracking;
  readonly jobs: Jobs;
  readonly pruning: Pruning;
  readonly statements: Statements;
  readonly intake: Intake;
  readonly runs: Runs;
  readonly periods: Periods;
  readonly alerts: Alerts;
  readonly outbox: Outbox;
  readonly exceptions: Exceptions;
  readonly aside: Aside;
  readonly log: Log;
  readonly users: Users;
}

/** One call of a method: what it is given, and what proves whose act it is. */
export interface Called {
  readonly group: keyof Operations;
  readonly method: string;
  readonly input: unknown;
  readonly credential: Credential | null;
}

/** Calls one method of one group, on this thread or another; rejects with a StoreError. */
export type CallOperation = (called: Called) => Promise<unknown>;

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
  pruning: {
    survey: true,
    prune: true,
    forgetAddresses: true,
    forgetRefusals: true,
    surveyBooks: true,
    pruneBooks: true,
    space: true,
  },
  statements: {
    begin: true,
    keep: true,
    finish: true,
    abandon: true,
    previewBegin: true,
    previewKeep: true,
    remove: true,
  },
  intake: { note: true, forget: true },
  runs: {
    beginRun: true,
    keepMatches: true,
    endMatches: true,
    keepBreaks: true,
    keepGroups: true,
    finishRun: true,
    abandonRun: true,
    clear: true,
    decide: true,
  },
  periods: { close: true, approve: true, lock: true, reopen: true },
  alerts: { judge: true, leaseNotices: true, finishNotice: true, silence: true },
  outbox: { plan: true, exchange: true, retry: true, drop: true, replay: true, enable: true },
  aside: { retry: true, drop: true },
  log: { lose: true },
  users: { add: true, setRoles: true, end: true, setToken: true, reset: true },
  exceptions: { act: true, follow: true, beginSheet: true, endSheet: true },
};

/** The port as calls of `call`, as the acts of the person whose `credential` it is. */
export function operationsOver(call: CallOperation, credential: Credential | null = null): Operations {
  const groups = Object.entries(METHODS).map(([group, methods]) => {
    const called = Object.keys(methods).map((method) => [
      method,
      (input: unknown) => call({ group: group as keyof Operations, method, input, credential }),
    ]);
    return [group, Object.fromEntries(called)];
  });
  return Object.fromEntries(groups) as Operations;
}
