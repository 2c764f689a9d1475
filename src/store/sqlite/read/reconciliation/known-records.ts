import type { Environment } from '../../../../domain/environment.ts';
import { EXPECTED_CODES, type Expectation, review } from '../../../../domain/expectations/expectation.ts';
import { CHECKED_CODES, type Finding } from '../../../../domain/findings/finding.ts';
import { effectiveTime, statedTime } from '../../../../domain/records/effective-time.ts';
import { perKind, type RecordKind } from '../../../../domain/records/lifecycle.ts';
import type { Observation } from '../../../../domain/records/observation.ts';
import { fold } from '../../../../domain/records/observe.ts';
import { startedAt } from '../../../../domain/records/settling-age.ts';
import { wordOfService } from '../../../../domain/records/witness-money.ts';
import type { KnownOrder, KnownRecord } from '../../../reconciliation.ts';
import type { Database } from '../../engine/database.ts';
import { snapshot } from '../../engine/reading.ts';
import { effectiveTime as effectiveTimeOf } from '../../rows/effective-time.ts';
import { type ExpectationRow, expectationFromRow } from '../../rows/expectations.ts';
import { type ObservationRow, observationFromRow } from '../../rows/observations.ts';
import { fromColumns } from '../../rows/record-columns.ts';
import { LEARNT_AT } from './fragments.ts';

/** Integers are bigint: an amount may need all 64 bits. */
interface RecordRow {
  readonly [column: string]: unknown;
  readonly id: bigint;
  readonly environment: Environment;
  readonly reference: string;
  readonly reported: string | null;
  readonly reported_time: string | null;
  readonly confirmed: string | null;
  readonly first_seen_at: bigint;
  readonly changed_at: bigint;
  readonly effective_at: bigint;
}

interface LearntRow extends ObservationRow {
  readonly learnt_at: number;
}

interface Learnt {
  readonly observation: Observation;
  readonly atMs: number;
}

interface FindingAt extends Finding {
  readonly kind: RecordKind;
}

/** What holds for one record, whether its columns give it or its observations. */
interface Facts {
  readonly record: RecordRow;
  readonly findings: readonly FindingAt[];
  readonly expected: Expectation | null;
}

/** Codes whose findings are not made by folding the observations again, nor by comparing the expectation. */
const KEPT_CODES: ReadonlySet<string> = new Set(
  CHECKED_CODES.filter((code) => !(EXPECTED_CODES as readonly string[]).includes(code)),
);

/**
 * Reads whole records as they were known at a time. The columns hold what is known now; of a record that changed later, the
 * observations of that time are folded again.
 */
export function knownRecordReads(database: Database) {
  const records = perKind((kind) =>
    database
      .prepare<[number], RecordRow>(
        `SELECT r.*, ${effectiveTimeOf(kind)} AS effective_at FROM ${kind}s r WHERE r.id = ?`,
      )
      .safeIntegers(),
  );
  const observations = perKind((kind) =>
    database.prepare<[number], LearntRow>(`
      SELECT o.identity, o.witness, o.event_key, o.status, o.time, o.answer_counter, o.answered_at, o.content_digest, o.claim,
             ${LEARNT_AT} AS learnt_at
      FROM ${kind}s r JOIN observations o ON o.kind = '${kind}' AND o.record_id = r.id WHERE r.id = ?`),
  );
  const findings = database.prepare<[RecordKind, number, number, number], FindingAt>(`
    SELECT kind, code, subject, detail FROM findings
    WHERE kind = ? AND record_id = ? AND opened_at <= ? AND (closed_at IS NULL OR closed_at > ?) ORDER BY code, subject`);
  const expectations = database
    .prepare<[RecordKind, number, number], ExpectationRow>(`
      SELECT amount_minor, currency, expected_by FROM tracked WHERE kind = ? AND record_id = ? AND tracked_at <= ?`)
    .safeIntegers();
  const reportedAt = database
    .prepare<[RecordKind, number, number], number | null>(
      "SELECT max(at) FROM history WHERE kind = ? AND record_id = ? AND field = 'reported' AND at <= ?",
    )
    .pluck();
  const statusLearntAt = database
    .prepare<[RecordKind, number, string, number], number | null>(
      'SELECT min(at) FROM history WHERE kind = ? AND record_id = ? AND to_status = ? AND at <= ?',
    )
    .pluck();

  function known(id: number, { kind, asAtMs, stoodAtMs }: Omit<KnownOrder, 'ids'>): KnownRecord | null {
    const record = records[kind].get(id);
    if (record === undefined) return null;
    const expected = expectations.get(kind, id, asAtMs);
    const facts: Facts = {
      record,
      findings: findings.all(kind, id, asAtMs, asAtMs),
      expected: expected === undefined ? null : expectationFromRow(expected),
    };
    const learnt = observations[kind].all(id).flatMap((row): Learnt[] => {
      return row.learnt_at > asAtMs ? [] : [{ observation: observationFromRow(kind, row), atMs: row.learnt_at }];
    });
    const stood = stoodAtMs === undefined ? learnt : learnt.filter((one) => saidBy(one, stoodAtMs));
    const times = {
      answeredAtMs: latestAnswer(learnt),
      reportedAtMs: reportedAt.get(kind, id, asAtMs) ?? null,
      seen: learnt.length > 0,
      changedLater: Number(record.changed_at) > asAtMs,
    };
    const isNow = !times.changedLater && stoodAtMs === undefined;
    return { ...times, ...(isNow ? fromRow(kind, facts) : folded(kind, facts, stood, asAtMs)) };
  }

  /** The columns hold it. */
  function fromRow(kind: RecordKind, { record, findings: open, expected }: Facts) {
    const { times, ...fields } = fromColumns(kind, record);
    const firstSeenAtMs = Number(record.first_seen_at);
    const begun = { kind, times, reportedTime: record.reported_time, firstSeenAtMs };
    return {
      ...namesOf(kind, record),
      reported: record.reported,
      confirmed: record.confirmed,
      reportedTime: record.reported_time,
      ...fields,
      expected,
      findings: open,
      startedAtMs: startedAt(begun),
      effectiveAtMs: Number(record.effective_at),
      isDayLearnt: statedTime(kind, times) === null,
    };
  }

  /** The observations of that time give it. */
  function folded(kind: RecordKind, facts: Facts, learnt: readonly Learnt[], asAtMs: number) {
    const { record, expected } = facts;
    const state = fold(
      kind,
      learnt.map(({ observation }) => observation),
    );
    const [reported, confirmed] = [state.reported?.status ?? null, state.confirmed?.status ?? null];
    const reportedTime = state.reported?.time ?? null;
    const firstSeenAtMs = Math.min(...learnt.map(({ atMs }) => atMs), Number(record.first_seen_at));
    const status = confirmed ?? reported;
    const learntAtMs = status === null ? null : (statusLearntAt.get(kind, Number(record.id), status, asAtMs) ?? null);
    const seen = learnt.length > 0;
    const reviewed =
      expected === null
        ? []
        : review({ kind, expected, known: { seen, ...wordOfService(state) }, nowMs: asAtMs }).findings;
    return {
      ...namesOf(kind, record),
      reported,
      confirmed,
      reportedTime,
      facts: state.facts,
      details: state.details,
      money: state.money,
      expected,
      findings: [...state.findings, ...facts.findings.filter(({ code }) => KEPT_CODES.has(code)), ...reviewed],
      startedAtMs: startedAt({ kind, times: state.times, reportedTime, firstSeenAtMs }),
      effectiveAtMs: effectiveTime(kind, state.times, learntAtMs ?? firstSeenAtMs),
      isDayLearnt: statedTime(kind, state.times) === null,
    };
  }

  return snapshot(database, ({ ids, ...order }: KnownOrder): KnownRecord[] =>
    ids.map((id) => known(id, order)).filter((one) => one !== null),
  );
}

function namesOf(kind: RecordKind, { id, environment, reference }: RecordRow) {
  return { id: Number(id), kind, environment, reference };
}

/** Whether an observation is of a time up to this one; without a signed time, when it was learnt counts. */
function saidBy({ observation, atMs }: Learnt, limitMs: number): boolean {
  const { time } = observation.stated;
  return (time === null ? atMs : Date.parse(time)) <= limitMs;
}

function latestAnswer(learnt: readonly Learnt[]): number | null {
  const answers = learnt.filter(({ observation }) => observation.witness === 'api').map(({ atMs }) => atMs);
  return answers.length === 0 ? null : Math.max(...answers);
}
