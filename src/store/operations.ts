import type { Credential } from '../domain/access/proof.ts';
import type { Access } from './access.ts';
import type { Alerts } from './alerts.ts';
import type { Approvals } from './approvals.ts';
import type { Aside } from './aside.ts';
import type { Backfills } from './backfills.ts';
import type { Checks } from './checks.ts';
import type { Exceptions } from './exceptions.ts';
import type { Health } from './health.ts';
import type { Intake } from './intake.ts';
import type { Jobs } from './jobs.ts';
import type { Log } from './lost-log.ts';
import type { Outbox } from './outbox.ts';
import type { Periods } from './periods.ts';
import type { Pruning } from './pruning.ts';
import type { Runs } from './runs.ts';
import type { Seen } from './seen.ts';
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
  readonly health: Health;
  readonly seen: Seen;
  readonly users: Users;
  readonly access: Access;
  readonly approvals: Approvals;
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

/**
 * What a method does with the database. `reads`: it changes nothing. `writes`: a call is a change. `tries`: often there is nothing to do, as
 * for a poll, or it depends on which processes are gone; a trial on the database, which is undone, tells both.
 */
export type MethodAccess = 'reads' | 'writes' | 'tries';

/** Every method of the port: one that is missing or misspelt does not compile. */
const METHODS: { readonly [Group in keyof Operations]: Readonly<Record<keyof Operations[Group], MethodAccess>> } = {
  checks: {
    lease: 'tries',
    finish: 'writes',
    release: 'writes',
    countDue: 'reads',
    listDue: 'reads',
    confirmedStatus: 'reads',
    prove: 'writes',
    proven: 'reads',
  },
  backfills: { begin: 'writes', record: 'writes', preview: 'reads', judge: 'tries', finish: 'writes' },
  tracking: { track: 'writes', forget: 'writes', review: 'tries' },
  jobs: { plan: 'tries', leaseDue: 'tries', begin: 'tries', renew: 'writes', finish: 'writes', states: 'reads' },
  pruning: {
    survey: 'reads',
    prune: 'tries',
    forgetAddresses: 'tries',
    forgetRefusals: 'tries',
    surveyBooks: 'reads',
    pruneBooks: 'writes',
    space: 'reads',
  },
  statements: {
    begin: 'tries',
    keep: 'writes',
    finish: 'writes',
    abandon: 'writes',
    previewBegin: 'reads',
    previewKeep: 'reads',
    remove: 'writes',
  },
  intake: { note: 'writes', forget: 'tries' },
  runs: {
    beginRun: 'tries',
    keepMatches: 'writes',
    endMatches: 'writes',
    keepBreaks: 'writes',
    keepGroups: 'writes',
    finishRun: 'writes',
    abandonRun: 'writes',
    clear: 'tries',
    decide: 'writes',
  },
  periods: { close: 'writes', approve: 'writes', lock: 'writes', reopen: 'writes' },
  alerts: { judge: 'tries', leaseNotices: 'tries', finishNotice: 'writes', silence: 'writes' },
  outbox: { plan: 'tries', exchange: 'tries', retry: 'writes', drop: 'writes', replay: 'writes', enable: 'writes' },
  aside: { retry: 'writes', drop: 'writes' },
  log: { lose: 'writes' },
  health: { sample: 'writes' },
  seen: { mark: 'tries' },
  users: { add: 'writes', setRoles: 'writes', end: 'writes', setToken: 'writes', reset: 'writes' },
  access: {
    attempt: 'tries',
    login: 'writes',
    prove: 'writes',
    change: 'writes',
    touch: 'tries',
    logout: 'writes',
    endSessions: 'writes',
    giveLink: 'writes',
    setUp: 'writes',
    reveal: 'writes',
  },
  approvals: { plan: 'tries', ask: 'writes', approve: 'writes', refuse: 'writes' },
  exceptions: { act: 'writes', follow: 'tries', beginSheet: 'tries', endSheet: 'writes' },
};

/** Whether a method of the port only reads. @throws TypeError for one that the port does not have */
export function accessOf({ group, method }: Pick<Called, 'group' | 'method'>): MethodAccess {
  const methods: Readonly<Record<string, MethodAccess>> = METHODS[group] ?? {};
  const access = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (access === undefined) throw new TypeError(`The store has no operation ${group}.${method}.`);
  return access;
}

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
