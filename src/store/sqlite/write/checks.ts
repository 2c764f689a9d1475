import { FAULTS_OF_OTHERS, type NextQuestion, type Standing } from '../../../domain/check.ts';
import type { Environment } from '../../../domain/environment.ts';
import type { Finding, FindingCode } from '../../../domain/finding.ts';
import { isSettled, type RecordKind } from '../../../domain/lifecycle.ts';
import { compareWord } from '../../../domain/observation.ts';
import type { RecordState } from '../../../domain/observe.ts';
import type { VerificationEndpoint } from '../../../domain/request.ts';
import type { EndedQuestion, Ending } from '../../checks.ts';
import { type Database, writing } from '../engine/database.ts';
import { lastWordStatement } from '../read/confirmed-status.ts';
import { dueQueue } from './due.ts';
import { expectationLog } from './expectations.ts';
import { findingLog } from './findings.ts';
import { type Observed, recordLog } from './records.ts';

interface AskingRow {
  question: number;
  leased_until: number | null;
  attempts: number;
  failures: number;
  settled_at: number | null;
}

interface StandingRow {
  environment: Environment;
  reference: string;
  reported: string | null;
  reported_time: string | null;
  confirmed: string | null;
  due_at: number | null;
}

/** What asking itself finds; the rest of ASKED_CODES belongs to lists and expectations. */
const FOUND_BY_ASKING = ['stuck', 'unaskable'] as const satisfies readonly FindingCode[];

/**
 * Questions and their endings, on disk when a method returns. A question is held by its counter until its lease is over:
 * whoever comes back later, with an older counter or after the lease, writes nothing (fencing).
 */
export function confirmLog(
  database: Database,
  nextQuestion: (standing: Standing) => NextQuestion,
  longestWaitMs = Number.POSITIVE_INFINITY,
) {
  const records = recordLog(database);
  const findings = findingLog(database);
  const expectations = expectationLog(database);
  const queue = dueQueue(database, longestWaitMs);
  const asking = database.prepare<[RecordKind, number], AskingRow>(`
    SELECT question, leased_until, attempts, failures, settled_at
    FROM confirmations WHERE kind = ? AND record_id = ?`);
  const settle = database.prepare(`
    UPDATE confirmations
    SET leased_until = NULL, attempts = @attempts, failures = @failures, outcome = @outcome, detail = @detail, outcome_at = @nowMs,
        settled_at = @settledAtMs, stuck_at = CASE WHEN @stuck THEN coalesce(stuck_at, @nowMs) END
    WHERE kind = @kind AND record_id = @recordId`);
  const standingOf = {
    refund: standingStatements(database, 'refund'),
    payout: standingStatements(database, 'payout'),
    collection: standingStatements(database, 'collection'),
  } as const satisfies Record<RecordKind, unknown>;
  const prove = database.prepare<[Environment, VerificationEndpoint, number]>(
    'INSERT OR IGNORE INTO proven_endpoints (environment, endpoint, proven_at) VALUES (?, ?, ?)',
  );
  const proven = database
    .prepare<[Environment], VerificationEndpoint>('SELECT endpoint FROM proven_endpoints WHERE environment = ?')
    .pluck();

  function endOne(ended: EndedQuestion): Ending {
    const { counter, kind, recordId, nowMs, outcome } = ended;
    const held = asking.get(kind, recordId);
    const record = standingOf[kind].read.get(recordId);
    const isHeld = held?.question === counter && held.leased_until !== null && held.leased_until > nowMs;
    if (held === undefined || record === undefined || !isHeld) return refused(ended);
    const blameless = FAULTS_OF_OTHERS.includes(outcome);
    // Asked beside the schedule: the schedule stays as it was.
    const attempts = ended.extra === undefined && !blameless ? held.attempts : Math.max(held.attempts - 1, 0);
    const failures = outcome === 'answered' || outcome === 'pending' ? 0 : held.failures + Number(!blameless);
    let next: NextQuestion = { dueAtMs: null, stuck: false };
    let settledAtMs: number | null = held.settled_at;
    const decide = (word: Word): number | null => {
      const settled = word.confirmed !== null && isSettled(kind, word.confirmed);
      // Never in the future, where a clock that was ahead put it: watching would begin anew when that has come.
      settledAtMs = settled ? Math.min(held.settled_at ?? nowMs, nowMs) : null;
      const doubted = ended.answer !== null && ended.answer.claim.status !== word.confirmed;
      next = nextQuestion({ ...word, doubted, kind, outcome, attempts, failures, settledAtMs, nowMs });
      if (!settled && typeof ended.extra?.dueAtMs === 'number') next = noLaterThan(next, ended.extra.dueAtMs);
      // A claimed record is due when its lease is over; any other time is news that came while we asked.
      if (record.due_at !== null && record.due_at !== held.leased_until) next = noLaterThan(next, record.due_at);
      return next.dueAtMs;
    };
    const observed = observe(ended, record, (state) => decide(wordOf(kind, state)));
    const after = observed === null ? wordOfRow(kind, record) : wordOf(kind, observed.state);
    if (observed === null) standingOf[kind].due.run(decide(after), recordId);
    settle.run({
      kind,
      recordId,
      nowMs,
      attempts,
      failures,
      outcome,
      detail: ended.detail,
      settledAtMs,
      stuck: Number(next.stuck),
    });
    findings.settle({ ...record, kind }, recordId, foundByAsking(ended, next, held), nowMs, FOUND_BY_ASKING);
    const review = observed === null ? expectations.review(kind, recordId, nowMs) : null; // else the record log has
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
    { counter, kind, nowMs, answer }: EndedQuestion,
    { environment, reference }: StandingRow,
    dueAfter: (state: RecordState) => number | null,
  ): Observed | null {
    if (answer === null) return null;
    const { claim, digest } = answer;
    const facts = { counter, atMs: nowMs, digest };
    const observation = { witness: 'api', identity: `api:${counter}`, eventKey: '', answer: facts, claim } as const;
    return records.observe([{ kind, environment, reference, eventId: null, observation }], nowMs, dueAfter);
  }

  return {
    claim: writing(database, queue.claim),
    end: writing(database, (ended: readonly EndedQuestion[]): Ending[] => ended.map(endOne)),
    release: writing(database, queue.release),
    countDue: queue.count,
    listDue: queue.list,
    lastWord: lastWordStatement(database),
    prove: writing(
      database,
      ({
        environment,
        endpoint,
        nowMs,
      }: {
        environment: Environment;
        endpoint: VerificationEndpoint;
        nowMs: number;
      }) => {
        prove.run(environment, endpoint, nowMs);
      },
    ),
    proven: (environment: Environment): VerificationEndpoint[] => proven.all(environment),
  };
}

/** Where the service's word stands against the webhooks'. */
interface Word {
  readonly reported: string | null;
  readonly confirmed: string | null;
  readonly lagging: boolean;
  readonly ahead: boolean;
}

function wordOf(kind: RecordKind, { reported, confirmed }: Pick<RecordState, 'reported' | 'confirmed'>): Word {
  const place = reported === null || confirmed === null ? 0 : compareWord(kind, confirmed, reported);
  return {
    reported: reported?.status ?? null,
    confirmed: confirmed?.status ?? null,
    lagging: place === -1 || place === null,
    ahead: confirmed !== null && (reported === null || place === 1),
  };
}

/** Whether a webhook should have told of it: every move of a refund, but only the outcomes of the others (interface 6). */
function isAnnounced(kind: RecordKind, status: string | null): boolean {
  return status !== null && (kind === 'refund' || isSettled(kind, status));
}

/** As the columns have it, for an ending that adds no observation. */
function wordOfRow(kind: RecordKind, { reported, reported_time, confirmed }: StandingRow): Word {
  const stated = (status: string | null, time: string | null) =>
    status === null ? null : { status, time, details: null };
  const [told, said] = [stated(reported, reported_time), stated(confirmed, null)];
  return wordOf(kind, { reported: told, confirmed: said });
}

function noLaterThan({ dueAtMs }: NextQuestion, latestMs: number): NextQuestion {
  return { dueAtMs: Math.min(latestMs, dueAtMs ?? latestMs), stuck: false };
}

function refused({ counter }: EndedQuestion): Ending {
  const nothing = { changed: false, settled: false, repaired: false, disagreed: false, overdue: false, stuck: false };
  return { counter, accepted: false, confirmed: null, ...nothing, dueAtMs: null };
}

function foundByAsking(
  { outcome, detail }: EndedQuestion,
  { stuck }: NextQuestion,
  { attempts }: AskingRow,
): Finding[] {
  const found: Finding[] = [];
  if (stuck) {
    const last = detail === null ? outcome : `${outcome}: ${detail}`;
    found.push({
      code: 'stuck',
      subject: 'status',
      detail: `not settled after ${attempts} questions; the last: ${last}`,
    });
  }
  if (outcome === 'unaskable') {
    found.push({
      code: 'unaskable',
      subject: 'reference',
      detail: 'this reference cannot stand in a path of the service',
    });
  }
  return found;
}

function standingStatements(database: Database, kind: RecordKind) {
  return {
    read: database.prepare<[number], StandingRow>(`
      SELECT environment, reference, reported, reported_time, confirmed, due_at
      FROM ${kind}s WHERE id = ?`),
    due: database.prepare<[number | null, number]>(`UPDATE ${kind}s SET due_at = ? WHERE id = ?`),
  };
}
