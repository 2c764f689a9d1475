import type { CheckedRecord } from '../../../domain/checks/check.ts';
import { type CheckRules, longestWaitMs, nextCheck } from '../../../domain/checks/next-check.ts';
import { type Clock, clockOf, type SharedTime } from '../../../time/clock.ts';
import { nextRun } from '../../../time/cron.ts';
import type { Database } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import { withLateStatements } from '../engine/late-statements.ts';
import { guarded } from '../engine/reading.ts';
import { openOrCreate, openToWrite } from '../engine/write-connection.ts';
import { alertWrites } from './alerts.ts';
import { type CallOperationNow, callsOf, type OperationsNow } from './answer.ts';
import { asideActs } from './aside.ts';
import { auditKey, auditWrites } from './audit.ts';
import { backfillWrites } from './backfills.ts';
import { bookPruningWrites } from './book-pruning.ts';
import { checkWrites } from './checks.ts';
import { exceptionWrites } from './exceptions.ts';
import { intakeWrites } from './intake.ts';
import { jobWrites } from './jobs.ts';
import { lostLogWrites } from './lost-log.ts';
import { outboxWrites } from './outbox.ts';
import { periodWrites } from './periods.ts';
import { proofReads, provedAudit } from './proofs.ts';
import { pruningWrites } from './pruning.ts';
import { runWrites } from './runs.ts';
import { statementWrites } from './statements.ts';
import { trackedWrites } from './tracked.ts';
import { userWrites } from './users.ts';

/**
 * The operations as calls on this connection; each write is one transaction. The time of each is put in here, by the store's
 * clock: the writes take it as a value.
 */
export function operationCalls(
  database: Database,
  { checkRules, auditKey: keyFile, credential }: Pick<CallsOrder, 'checkRules' | 'auditKey' | 'credential'>,
  clock: Clock,
): CallOperationNow {
  const next = (record: CheckedRecord) => nextCheck(record, checkRules, Math.random);
  const checks = checkWrites(database, next, longestWaitMs(checkRules));
  const chain = auditWrites(database, auditKey(keyFile, database.name));
  const proofs = proofReads(database, credential);
  const audit = provedAudit(chain, proofs);
  const backfills = backfillWrites(database);
  const tracking = trackedWrites(database);
  const jobs = jobWrites(database, nextRun);
  const pruning = pruningWrites(database, audit);
  const books = bookPruningWrites(database, audit);
  const statements = statementWrites(database, audit);
  const runs = runWrites(database, audit);
  const periods = periodWrites(database, audit);
  const alerts = alertWrites(database);
  const exceptions = exceptionWrites(database, audit);
  const outbox = outboxWrites(database, Math.random, audit);
  const aside = asideActs(database, audit);
  const log = lostLogWrites(database, audit);
  const users = userWrites(database, chain, proofs);
  const at = <Input extends object>(input: Input) => ({ ...input, nowMs: clock.nowMs() });
  const operations: OperationsNow = {
    checks: {
      ...checks,
      lease: (order) => checks.lease(at(order)),
      finish: (finished) => checks.finish(finished.map(at)),
      countDue: (due) => checks.countDue(at(due)),
      listDue: (due) => checks.listDue(at(due)),
      confirmedStatus: (record) => checks.confirmedStatus(at(record)),
      prove: (proof) => checks.prove(at(proof)),
    },
    backfills: {
      begin: (plan) => backfills.begin(at(plan)),
      record: (rows) => backfills.record(at(rows)),
      preview: backfills.preview,
      judge: (stretch) => backfills.judge(at(stretch)),
      finish: (finished) => backfills.finish(at(finished)),
    },
    tracking: {
      track: (order) => tracking.track(at(order)),
      forget: (order) => tracking.forget(at(order)),
      review: () => tracking.review(at({})),
    },
    jobs: {
      plan: (plan) => jobs.plan(at(plan)),
      leaseDue: (order) => jobs.leaseDue(at(order)),
      begin: (order) => jobs.begin(at(order)),
      renew: (renewal) => jobs.renew(at(renewal)),
      finish: (ended) => jobs.finish(at(ended)),
      states: () => jobs.states(at({})),
    },
    pruning: {
      ...pruning,
      prune: (order) => pruning.prune(at(order)),
      forgetAddresses: (order) => pruning.forgetAddresses(at(order)),
      forgetRefusals: (order) => pruning.forgetRefusals(at(order)),
      surveyBooks: books.survey,
      pruneBooks: (order) => books.prune(at(order)),
    },
    statements: {
      ...statements,
      begin: (order) => statements.begin(at(order)),
      keep: (rows) => statements.keep(at(rows)),
      finish: (order) => statements.finish(at(order)),
      previewBegin: (order) => statements.previewBegin(at(order)),
      abandon: (order) => statements.abandon(at(order)),
      remove: (order) => statements.remove(at(order)),
    },
    intake: intakeWrites(database),
    runs: {
      ...runs,
      beginRun: (order) => runs.beginRun(at(order)),
      keepMatches: (order) => runs.keepMatches(at(order)),
      endMatches: (order) => runs.endMatches(at(order)),
      keepBreaks: (order) => runs.keepBreaks(at(order)),
      keepGroups: (order) => runs.keepGroups(at(order)),
      finishRun: (order) => runs.finishRun(at(order)),
      decide: (decision) => runs.decide(at(decision)),
    },
    periods: {
      close: (order) => periods.close(at(order)),
      approve: (order) => periods.approve(at(order)),
      lock: (order) => periods.lock(at(order)),
      reopen: (order) => periods.reopen(at(order)),
    },
    alerts: {
      judge: (judgement) => alerts.judge(at(judgement)),
      leaseNotices: (order) => alerts.leaseNotices(at(order)),
      finishNotice: (ended) => alerts.finishNotice(at(ended)),
      silence: alerts.silence,
    },
    outbox: {
      plan: (plan) => outbox.plan(at(plan)),
      exchange: (order) => outbox.exchange(at(order)),
      retry: (order) => outbox.retry(at(order)),
      drop: (order) => outbox.drop(at(order)),
      replay: (order) => outbox.replay(at(order)),
      enable: (order) => outbox.enable(at(order)),
    },
    exceptions: {
      ...exceptions,
      act: (order) => exceptions.act(at(order)),
      follow: () => exceptions.follow(at({})),
      beginSheet: (order) => exceptions.beginSheet(at(order)),
    },
    aside: {
      retry: (order) => aside.retry(at(order)),
      drop: (order) => aside.drop(at(order)),
    },
    log: { lose: (order) => log.lose(at(order)) },
    users: {
      add: (order) => users.add(at(order)),
      setRoles: (order) => users.setRoles(at(order)),
      end: (order) => users.end(at(order)),
      setToken: (order) => users.setToken(at(order)),
      reset: (order) => users.reset(at(order)),
    },
  };
  return guarded(database, callsOf(operations));
}

/** What opens the operations of a database. */
export interface CallsOrder {
  readonly path: string;
  readonly checkRules: CheckRules;
  /** Path of the key file of the audit chain. */
  readonly auditKey: string;
  /** Digest of the token of the person whose acts these are; null: none was given. */
  readonly credential: string | null;
  /** Makes a missing database. */
  readonly create: boolean;
  readonly time: SharedTime | undefined;
}

export interface OpenCalls {
  readonly database: Database;
  /** Blocks this thread until a write is on disk. */
  readonly call: CallOperationNow;
  close(): void;
}

/**
 * Opens a database for operations, with its shared lock, beside a running `serve` or without one.
 *
 * @throws StoreError when there is no database (and none is to be made), it is not ours, or its schema is older or newer
 */
export function openOperationCalls({ path, create, time, ...options }: CallsOrder): OpenCalls {
  const clock = clockOf(time);
  const { database, expectWritten, close } = create ? openOrCreate(path, clock.nowMs()) : openToWrite(path);
  try {
    return {
      database,
      call: checked(operationCalls(withLateStatements(database), options, clock), expectWritten),
      close,
    };
  } catch (error) {
    close();
    throw storeError(error, path);
  }
}

/** `call`, and then `expectWritten`: a result counts only when it is in the file that the next start opens. */
export function checked(call: CallOperationNow, expectWritten: () => void): CallOperationNow {
  return (...input) => {
    const result = call(...input);
    expectWritten();
    return result;
  };
}
