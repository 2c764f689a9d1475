import type { CheckedRecord } from '../../../domain/checks/check.ts';
import { type CheckRules, longestWaitMs, nextCheck } from '../../../domain/checks/next-check.ts';
import type { Timed } from '../../../time/clock.ts';
import { nextRun } from '../../../time/cron.ts';
import type { Drawn } from '../../caller.ts';
import type { Database } from '../engine/database.ts';
import { guarded as guardedCalls } from '../engine/reading.ts';
import { accessWrites } from './access.ts';
import { alertWrites } from './alerts.ts';
import { type CarryOutCall, callsOf, type OperationsNow } from './answer.ts';
import { approvalWrites } from './approvals.ts';
import { asideActs } from './aside.ts';
import { askedRowsOf } from './asked-orders.ts';
import { auditKey, auditWrites } from './audit.ts';
import { backfillWrites } from './backfills.ts';
import { bookPruningWrites } from './book-pruning.ts';
import { booksTime, type Dated } from './books-time.ts';
import { checkWrites } from './checks.ts';
import { exceptionWrites } from './exceptions.ts';
import { guardedAudit } from './four-eyes.ts';
import { healthWrites } from './health.ts';
import { intakeWrites } from './intake.ts';
import { jobWrites } from './jobs.ts';
import { lostLogWrites } from './lost-log.ts';
import { outboxWrites } from './outbox.ts';
import { periodWrites } from './periods.ts';
import { proofReads, provedAudit } from './proofs.ts';
import { pruningWrites } from './pruning.ts';
import { runWrites } from './runs.ts';
import { seenWrites } from './seen.ts';
import { statementWrites } from './statements.ts';
import { trackedWrites } from './tracked.ts';
import { userWrites } from './users.ts';

/** What the operations are carried out with. */
export interface OperationSettings {
  readonly checkRules: CheckRules;
  /** Path of the key file of the audit chain. */
  readonly auditKey: string;
}

/** The operations as calls on this connection; each write is one transaction. */
export function operationCalls(database: Database, { checkRules, auditKey: keyFile }: OperationSettings): CarryOutCall {
  const next = (record: CheckedRecord, random: () => number) => nextCheck(record, checkRules, random);
  const timeAt = booksTime(database);
  const checks = checkWrites(database, timeAt, next, longestWaitMs(checkRules));
  const chain = auditWrites(database, auditKey(keyFile, database.name));
  const proofs = proofReads(database);
  const guarded = guardedAudit(database, chain, proofs);
  const audit = provedAudit(guarded, proofs);
  const backfills = backfillWrites(database, timeAt);
  const tracking = trackedWrites(database, timeAt);
  const jobs = jobWrites(database, nextRun);
  const pruning = pruningWrites(database, audit);
  const books = bookPruningWrites(database, audit);
  const statements = statementWrites(database, audit);
  const runs = runWrites(database, audit);
  const periods = periodWrites(database, audit);
  const alerts = alertWrites(database, proofs);
  const exceptions = exceptionWrites(database, audit);
  const outbox = outboxWrites(database, audit, proofs);
  const aside = asideActs(database, audit);
  const log = lostLogWrites(database, audit);
  const health = healthWrites(database);
  const seen = seenWrites(database, audit);
  const users = userWrites(database, guarded, proofs);
  const access = accessWrites(database, guarded, proofs);
  const approvals = approvalWrites(database, guarded, proofs, askedRowsOf(database, audit, outbox));
  /** `write` at the time of the call, and with that at which the books learn what it says. */
  const dated =
    <Input, Result>(write: (input: Input & Dated) => Result) =>
    (input: Input, { nowMs }: Drawn): Result =>
      write({ ...input, nowMs, learntMs: timeAt(nowMs).learntMs });
  const operations: OperationsNow = {
    checks: {
      ...checks,
      lease: timed(checks.lease),
      finish: (finished, { nowMs }) => checks.finish(finished.map((one) => ({ ...one, nowMs }))),
      countDue: (due, { nowMs }) => checks.countDue({ ...due, nowMs }),
      listDue: (due, { nowMs }) => checks.listDue({ ...due, nowMs }),
      confirmedStatus: (record, { nowMs }) => checks.confirmedStatus({ ...record, nowMs }),
      prove: timed(checks.prove),
    },
    backfills: {
      begin: timed(backfills.begin),
      record: timed(backfills.record),
      preview: backfills.preview,
      judge: timed(backfills.judge),
      finish: timed(backfills.finish),
    },
    tracking: {
      track: timed(tracking.track),
      forget: timed(tracking.forget),
      review: (_, { nowMs }) => tracking.review({ nowMs }),
    },
    jobs: {
      plan: timed(jobs.plan),
      leaseDue: called(jobs.leaseDue),
      begin: called(jobs.begin),
      renew: timed(jobs.renew),
      finish: timed(jobs.finish),
      states: (_, { nowMs }) => jobs.states({ nowMs }),
    },
    pruning: {
      ...pruning,
      prune: dated(pruning.prune),
      forgetAddresses: timed(pruning.forgetAddresses),
      forgetRefusals: timed(pruning.forgetRefusals),
      surveyBooks: books.survey,
      pruneBooks: timed(books.prune),
    },
    statements: {
      ...statements,
      begin: called(statements.begin),
      keep: timed(statements.keep),
      finish: dated(statements.finish),
      previewBegin: called(statements.previewBegin),
      abandon: timed(statements.abandon),
      remove: dated(statements.remove),
    },
    intake: intakeWrites(database),
    runs: {
      ...runs,
      beginRun: called(runs.beginRun),
      keepMatches: timed(runs.keepMatches),
      endMatches: timed(runs.endMatches),
      keepBreaks: timed(runs.keepBreaks),
      keepGroups: timed(runs.keepGroups),
      finishRun: timed(runs.finishRun),
      decide: dated(runs.decide),
    },
    periods: {
      close: timed(periods.close),
      approve: timed(periods.approve),
      lock: timed(periods.lock),
      reopen: timed(periods.reopen),
    },
    alerts: {
      judge: timed(alerts.judge),
      leaseNotices: timed(alerts.leaseNotices),
      finishNotice: timed(alerts.finishNotice),
      silence: timed(alerts.silence),
    },
    outbox: {
      plan: timed(outbox.plan),
      exchange: timed(outbox.exchange),
      retry: timed(outbox.retry),
      drop: timed(outbox.drop),
      replay: timed(outbox.replay),
      enable: timed(outbox.enable),
    },
    exceptions: {
      ...exceptions,
      act: dated(exceptions.act),
      follow: (_, { nowMs }) => exceptions.follow({ nowMs }),
      beginSheet: called(exceptions.beginSheet),
    },
    aside: {
      retry: timed(aside.retry),
      drop: timed(aside.drop),
    },
    log: { lose: timed(log.lose) },
    health: { sample: timed(health.sample) },
    seen: { mark: timed(seen.mark) },
    users: {
      add: timed(users.add),
      setRoles: timed(users.setRoles),
      end: timed(users.end),
      setToken: timed(users.setToken),
      reset: timed(users.reset),
    },
    access: {
      attempt: timed(access.attempt),
      login: timed(access.login),
      prove: timed(access.prove),
      change: timed(access.change),
      touch: timed(access.touch),
      logout: timed(access.logout),
      endSessions: timed(access.endSessions),
      giveLink: timed(access.giveLink),
      setUp: timed(access.setUp),
      reveal: timed(access.reveal),
    },
    approvals: {
      plan: timed(approvals.plan),
      ask: (order, { nowMs }) => approvals.ask({ ...order, nowMs }),
      approve: timed(approvals.approve),
      refuse: timed(approvals.refuse),
    },
  };
  const call = callsOf(operations);
  return guardedCalls(database, (called, drawn) =>
    proofs.during(drawn.credential, () => guarded.fourEyes.during(() => call(called, drawn))),
  );
}

/** `write` at the time of the call. */
function timed<Input, Result>(write: (input: Input & Timed) => Result): (input: Input, drawn: Drawn) => Result {
  return (input, { nowMs }) => write({ ...input, nowMs });
}

/** `write` at the time of the call, and for the process that called. */
function called<Input, Result>(write: (input: Input & Drawn) => Result): (input: Input, drawn: Drawn) => Result {
  return (input, { nowMs, caller }) => write({ ...input, nowMs, caller });
}
