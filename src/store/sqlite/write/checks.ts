import { type CheckedRecord, type NextCheck, UNCOUNTED_OUTCOMES } from '../../../domain/check.ts';
import type { Environment } from '../../../domain/environment.ts';
import type { Finding, FindingCode } from '../../../domain/finding.ts';
import { isSettled, perKind, type RecordKind } from '../../../domain/lifecycle.ts';
import { compareConfirmed } from '../../../domain/observation.ts';
import type { RecordState } from '../../../domain/observe.ts';
import type { CheckEffect, FinishedCheck } from '../../checks.ts';
import { type Database, writing } from '../engine/database.ts';
import { confirmedStatusOf } from '../read/confirmed-status.ts';
import { dueRecords } from './due.ts';
import { expectationWrites } from './expectations.ts';
import { findingWrites } from './findings.ts';
import { provenEndpoints } from './proven-endpoints.ts';
import { type Observed, recordWrites } from './records.ts';

interface CheckRow {
  counter: number;
  leased_until: number | null;
  attempts: number;
  failures: number;
  settled_at: number | null;
}

interface RecordRow {
  environment: Environment;
  reference: string;
  reported: string | null;
  reported_time: string | null;
  confirmed: string | null;
  due_at: number | null;
}

/** Findings that a check opens and closes; the rest of CHECKED_CODES belongs to lists and expectations. */
const FOUND_BY_CHECKS = ['stuck', 'unaskable'] as const satisfies readonly FindingCode[];

/**
 * Writes status checks; on disk when a method returns. A check that is finished under an older counter, or after its lease,
 * writes nothing (fencing).
 */
export function checkWrites(
  database: Database,
  nextCheck: (record: CheckedRecord) => NextCheck,
  longestWaitMs = Number.POSITIVE_INFINITY,
) {
  const records = recordWrites(database);
  const findings = findingWrites(database);
  const expectations = expectationWrites(database);
  const due = dueRecords(database, longestWaitMs);
  const readCheck = database.prepare<[RecordKind, number], CheckRow>(`
    SELECT counter, leased_until, attempts, failures, settled_at FROM checks WHERE kind = ? AND record_id = ?`);
  const writeCheck = database.prepare(`
    UPDATE checks
    SET leased_until = NULL, attempts = @attempts, failures = @failures, outcome = @outcome, detail = @detail, outcome_at = @nowMs,
        settled_at = @settledAtMs, stuck_at = CASE WHEN @stuck THEN coalesce(stuck_at, @nowMs) END
    WHERE kind = @kind AND record_id = @recordId`);
  const tables = perKind((kind) => recordStatements(database, kind));

  function finishOne(finished: FinishedCheck): CheckEffect {
    const { counter, kind, recordId, nowMs, outcome } = finished;
    const check = readCheck.get(kind, recordId);
    const record = tables[kind].read.get(recordId);
    const isHeld = check?.counter === counter && check.leased_until !== null && check.leased_until > nowMs;
    if (check === undefined || record === undefined || !isHeld) return refused(finished);
    const blameless = UNCOUNTED_OUTCOMES.includes(outcome);
    // An extra check counts as no attempt.
    const attempts = finished.extra === undefined && !blameless ? check.attempts : Math.max(check.attempts - 1, 0);
    const failures = outcome === 'answered' || outcome === 'pending' ? 0 : check.failures + Number(!blameless);
    let next: NextCheck = { dueAtMs: null, stuck: false };
    let settledAtMs: number | null = check.settled_at;
    const decide = (compared: Comparison): number | null => {
      const settled = compared.confirmed !== null && isSettled(kind, compared.confirmed);
      // A time in the future was written by a clock that was ahead: watching would start again when it comes.
      settledAtMs = settled ? Math.min(check.settled_at ?? nowMs, nowMs) : null;
      const doubted = finished.answer !== null && finished.answer.claim.status !== compared.confirmed;
      next = nextCheck({ ...compared, doubted, kind, outcome, attempts, failures, settledAtMs, nowMs });
      if (!settled && typeof finished.extra?.dueAtMs === 'number') next = noLaterThan(next, finished.extra.dueAtMs);
      // A leased record is due when its lease is over; any other due time is news that came during the check.
      if (record.due_at !== null && record.due_at !== check.leased_until) next = noLaterThan(next, record.due_at);
      return next.dueAtMs;
    };
    const observed = observe(finished, record, (state) => decide(comparisonOf(kind, state)));
    const after = observed === null ? comparisonOfRow(kind, record) : comparisonOf(kind, observed.state);
    if (observed === null) tables[kind].due.run(decide(after), recordId);
    writeCheck.run({ ...finished, attempts, failures, settledAtMs, stuck: Number(next.stuck) });
    const current = foundByCheck(finished, next, check);
    findings.settle({ record: { ...record, kind }, recordId, current, nowMs, scope: FOUND_BY_CHECKS });
    // An observation has reviewed the expectation already.
    const review = observed === null ? expectations.review(kind, recordId, nowMs) : null;
    return {
      counter,
      accepted: true,
      confirmed: after.confirmed,
      changed: after.confirmed !== record.confirmed,
      settled: settledAtMs !== null && !(record.confirmed !== null && isSettled(kind, record.confirmed)),
      repaired: after.ahead && after.confirmed !== record.confirmed && isAnnounced(kind, after.confirmed),
      disagreed: outcome === 'answered' && after.lagging,
      overdue: review?.state === 'overdue',
      ...next,
    };
  }

  function observe(
    { counter, kind, nowMs, answer }: FinishedCheck,
    { environment, reference }: RecordRow,
    dueAfter: (state: RecordState) => number | null,
  ): Observed | null {
    if (answer === null) return null;
    const { claim, digest } = answer;
    const facts = { counter, atMs: nowMs, digest };
    const observation = { witness: 'api', identity: `api:${counter}`, eventKey: '', answer: facts, claim } as const;
    return records.observe([{ kind, environment, reference, eventId: null, observation }], nowMs, dueAfter);
  }

  return {
    lease: writing(database, due.lease),
    finish: writing(database, (finished: readonly FinishedCheck[]): CheckEffect[] => finished.map(finishOne)),
    release: writing(database, due.release),
    countDue: due.count,
    listDue: due.list,
    confirmedStatus: confirmedStatusOf(database),
    ...provenEndpoints(database),
  };
}

/** The confirmed status beside the reported one. */
interface Comparison {
  readonly reported: string | null;
  readonly confirmed: string | null;
  readonly lagging: boolean;
  readonly ahead: boolean;
}

function comparisonOf(
  kind: RecordKind,
  { reported, confirmed }: Pick<RecordState, 'reported' | 'confirmed'>,
): Comparison {
  const place = reported === null || confirmed === null ? 0 : compareConfirmed(kind, confirmed, reported);
  return {
    reported: reported?.status ?? null,
    confirmed: confirmed?.status ?? null,
    lagging: place === -1 || place === null,
    ahead: confirmed !== null && (reported === null || place === 1),
  };
}

/** Whether the service sends a webhook for this status: for all of a refund, for settled ones of the others (interface 6). */
function isAnnounced(kind: RecordKind, status: string | null): boolean {
  return status !== null && (kind === 'refund' || isSettled(kind, status));
}

/** The comparison from the columns, for a check that adds no observation. */
function comparisonOfRow(kind: RecordKind, { reported, reported_time, confirmed }: RecordRow): Comparison {
  const stated = (status: string | null, time: string | null) =>
    status === null ? null : { status, time, details: null };
  return comparisonOf(kind, { reported: stated(reported, reported_time), confirmed: stated(confirmed, null) });
}

function noLaterThan({ dueAtMs }: NextCheck, latestMs: number): NextCheck {
  return { dueAtMs: Math.min(latestMs, dueAtMs ?? latestMs), stuck: false };
}

function refused({ counter }: FinishedCheck): CheckEffect {
  const nothing = { changed: false, settled: false, repaired: false, disagreed: false, overdue: false, stuck: false };
  return { counter, accepted: false, confirmed: null, ...nothing, dueAtMs: null };
}

function foundByCheck({ outcome, detail }: FinishedCheck, { stuck }: NextCheck, { attempts }: CheckRow): Finding[] {
  const found: Finding[] = [];
  if (stuck) {
    const last = detail === null ? outcome : `${outcome}: ${detail}`;
    found.push({ code: 'stuck', subject: 'status', detail: `not settled after ${attempts} checks; the last: ${last}` });
  }
  if (outcome === 'unaskable') {
    const text = 'this reference cannot be part of a path of the service';
    found.push({ code: 'unaskable', subject: 'reference', detail: text });
  }
  return found;
}

function recordStatements(database: Database, kind: RecordKind) {
  return {
    read: database.prepare<[number], RecordRow>(`
      SELECT environment, reference, reported, reported_time, confirmed, due_at
      FROM ${kind}s WHERE id = ?`),
    due: database.prepare<[number | null, number]>(`UPDATE ${kind}s SET due_at = ? WHERE id = ?`),
  };
}
