import type { CheckedRecord, NextCheck } from '../../../domain/checks/check.ts';
import { type CheckFacts, isLeaseHeld } from '../../../domain/checks/check-lease.ts';
import { type CheckEffect, checkResult, type EndedCheck, refusedCheck } from '../../../domain/checks/check-result.ts';
import type { Environment } from '../../../domain/environment.ts';
import { perKind, type RecordKind } from '../../../domain/records/lifecycle.ts';
import { answerObservation } from '../../../domain/records/observation.ts';
import { spread } from '../../../domain/spread.ts';
import type { Timed } from '../../../time/clock.ts';
import type { FinishedCheck } from '../../checks.ts';
import { type Database, writing } from '../engine/database.ts';
import { confirmedStatusOf } from '../read/confirmed-status.ts';
import type { TimeAt } from './books-time.ts';
import { dueRecords } from './due.ts';
import { expectationWrites } from './expectations.ts';
import { findingWrites } from './findings.ts';
import { keyAnswerWrites, type NotedCheck } from './key-answers.ts';
import { provenEndpoints } from './proven-endpoints.ts';
import { recordWrites } from './records.ts';
import { serviceAnswerWrites } from './service-answers.ts';

interface RecordRow {
  environment: Environment;
  reference: string;
  reported: string | null;
  reported_time: string | null;
  confirmed: string | null;
  due_at: number | null;
}

/**
 * Writes status checks; on disk when a method returns. A check that is finished under an older counter, or after its lease,
 * writes nothing (fencing).
 */
export function checkWrites(
  database: Database,
  timeAt: TimeAt,
  nextCheck: (record: CheckedRecord, random: () => number) => NextCheck,
  longestWaitMs = Number.POSITIVE_INFINITY,
) {
  const records = recordWrites(database);
  const findings = findingWrites(database);
  const expectations = expectationWrites(database);
  const keyAnswers = keyAnswerWrites(database);
  const serviceAnswers = serviceAnswerWrites(database);
  const due = dueRecords(database, longestWaitMs);
  const readCheck = database.prepare<[RecordKind, number], CheckFacts>(`
    SELECT counter, leased_until AS leasedUntilMs, attempts, failures, settled_at AS settledAtMs, stuck_at AS stuckAtMs
    FROM checks WHERE kind = ? AND record_id = ?`);
  const writeCheck = database.prepare(`
    UPDATE checks
    SET leased_until = NULL, attempts = @attempts, failures = @failures, outcome = @outcome, detail = @detail, outcome_at = @nowMs,
        settled_at = @settledAtMs, stuck_at = @stuckAtMs
    WHERE kind = @kind AND record_id = @recordId`);
  const tables = perKind((kind) => recordStatements(database, kind));

  function finishOne(finished: FinishedCheck & Timed, noted: NotedCheck[]): CheckEffect {
    const { counter, kind, recordId, nowMs, answer } = finished;
    const check = readCheck.get(kind, recordId);
    const row = tables[kind].read.get(recordId);
    if (check === undefined || row === undefined || !isLeaseHeld(check, counter, nowMs)) return refusedCheck(counter);
    const time = timeAt(nowMs);
    const before = statusesFromRow(row);
    const { environment, reference } = row;
    const observation = answer && answerObservation(counter, nowMs, answer);
    const moving = observation && records.read([{ kind, environment, reference, eventId: null, observation }]);
    const after = moving?.move.state ?? before;
    const answered = answer?.stated.status ?? null;
    const next = (record: CheckedRecord) => nextCheck(record, () => spread('check', counter));
    const result = checkResult({ ...finished, check, answered, before, after }, next);
    const { dueAtMs } = result.effect;
    if (moving === null) tables[kind].due.run(dueAtMs, recordId);
    else records.write(moving, time, dueAtMs);
    writeCheck.run({ ...finished, ...result.check });
    noted.push({ environment, outcome: finished.outcome, counter, nowMs });
    const { findings: current, scope } = result;
    findings.settle({ record: { kind, environment, reference }, recordId, current, nowMs: time.learntMs, scope });
    // An observation has reviewed the expectation already.
    const review = moving === null ? expectations.review(kind, recordId, time) : null;
    return { ...result.effect, overdue: review?.state === 'overdue' };
  }

  function finish(finished: readonly (FinishedCheck & Timed)[]): CheckEffect[] {
    const noted: NotedCheck[] = [];
    const effects = finished.map((one) => finishOne(one, noted));
    keyAnswers.note(noted);
    serviceAnswers.note(noted);
    return effects;
  }

  return {
    lease: writing(database, due.lease),
    finish: writing(database, finish),
    release: writing(database, due.release),
    countDue: due.count,
    listDue: due.list,
    confirmedStatus: confirmedStatusOf(database),
    ...provenEndpoints(database),
  };
}

function statusesFromRow({ reported, reported_time, confirmed, due_at }: RecordRow): EndedCheck['before'] {
  const stated = (status: string | null, time: string | null) =>
    status === null ? null : { status, time, details: null };
  return { reported: stated(reported, reported_time), confirmed: stated(confirmed, null), dueAtMs: due_at };
}

function recordStatements(database: Database, kind: RecordKind) {
  return {
    read: database.prepare<[number], RecordRow>(`
      SELECT environment, reference, reported, reported_time, confirmed, due_at
      FROM ${kind}s WHERE id = ?`),
    due: database.prepare<[number | null, number]>(`UPDATE ${kind}s SET due_at = ? WHERE id = ?`),
  };
}
