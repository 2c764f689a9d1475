import type { Environment } from '../../../domain/environment.ts';
import { isGap, perKind, type RecordKind } from '../../../domain/lifecycle.ts';
import type { Observation, RecordObservation } from '../../../domain/observation.ts';
import { fold, type RecordState } from '../../../domain/observe.ts';
import type { Database } from '../engine/database.ts';
import { claimText, type ObservationRow, observationFromRow } from '../rows/observations.ts';
import { columnNames, toColumns } from '../rows/record-columns.ts';
import { expectationWrites } from './expectations.ts';
import { findingWrites } from './findings.ts';

/** How an observation changed its record. */
export interface Observed {
  readonly recordId: number;
  readonly before: Statuses;
  readonly state: RecordState;
}

type Named = Pick<RecordObservation, 'kind' | 'environment' | 'reference'>;

export interface RecordWriteOptions {
  /** News makes a record due this many milliseconds later, so that a burst of events costs one check. */
  readonly debounceMs?: number;
}

/** Writes records: an observation joins its set, and the state is folded again from the whole set. */
export function recordWrites(database: Database, { debounceMs = 0 }: RecordWriteOptions = {}) {
  const tables = perKind((kind) => recordStatements(database, kind));
  const insertObservation = database.prepare(`
    INSERT INTO observations (kind, record_id, identity, witness, event_id, event_key, status, time,
                              answer_counter, answered_at, content_digest, claim)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const observationsOf = database.prepare<[RecordKind, number], ObservationRow>(`
    SELECT identity, witness, event_key, status, time, answer_counter, answered_at, content_digest, claim
    FROM observations WHERE kind = ? AND record_id = ?`);
  const insertMove = database.prepare(`
    INSERT INTO history (kind, record_id, n, at, field, from_status, to_status, gap) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const forgetObservations = database.prepare<[RecordKind, number]>(
    'DELETE FROM observations WHERE kind = ? AND record_id = ?',
  );
  // `+?`: with a bare parameter the engine would plan the statement again at each call, at six times the cost.
  const lastMove = database
    .prepare<[RecordKind, number], number>('SELECT max(n) FROM history WHERE kind = +? AND record_id = +?')
    .pluck();
  const findings = findingWrites(database);
  const expectations = expectationWrites(database);

  /** News makes a record due: a webhook is a hint, only the status endpoint confirms (promise 5). */
  function dueByNews(known: KnownRecord | undefined, nowMs: number): number {
    return Math.min(known?.due_at ?? Number.POSITIVE_INFINITY, nowMs + debounceMs);
  }

  function observe(
    group: readonly RecordObservation[],
    nowMs: number,
    dueAfter?: (state: RecordState) => number | null,
  ): Observed | null {
    const [one] = group;
    if (one === undefined) return null;
    const { kind, environment, reference } = one;
    const table = tables[kind];
    const known = table.find.get(reference, environment);
    // The most frequent case, a record's first observation, has no set to read back.
    const before =
      known === undefined ? [] : observationsOf.all(kind, known.id).map((row) => observationFromRow(kind, row));
    const fresh = notYetIn(before, group);
    if (fresh.length === 0) return null; // all applied before a crash
    const states = statesAlong(
      kind,
      before,
      fresh.map(({ observation }) => observation),
    );
    const state = states.at(-1) as RecordState;
    const dueAtMs = dueAfter === undefined ? dueByNews(known, nowMs) : dueAfter(state);
    const values = stateColumns(kind, state, nowMs, dueAtMs);
    const recordId = known?.id ?? Number(table.create.run(...values, environment, reference, nowMs).lastInsertRowid);
    if (known !== undefined) table.update.run(...values, recordId);
    for (const observation of fresh) insert(observation, recordId);
    recordMoves(kind, recordId, known ?? NOTHING_YET, states, nowMs);
    if (state.findings.length > 0 || known !== undefined) {
      findings.settle({ record: one, recordId, current: state.findings, nowMs });
    }
    // A tracked reference has its record already.
    if (known !== undefined) expectations.review(kind, recordId, nowMs);
    return { recordId, before: known ?? NOTHING_YET, state };
  }

  function retract(one: Named, nowMs: number): void {
    const { kind, environment, reference } = one;
    const table = tables[kind];
    const known = table.find.get(reference, environment);
    if (known === undefined) return;
    if (observationsOf.all(kind, known.id).some(({ witness }) => witness !== 'request')) return;
    forgetObservations.run(kind, known.id);
    if (table.removeUnreferred.run({ kind, id: known.id }).changes === 1) return;
    table.update.run(...stateColumns(kind, fold(kind, []), nowMs, known.due_at), known.id);
    findings.settle({ record: one, recordId: known.id, current: [], nowMs });
  }

  function insert({ kind, eventId, observation }: RecordObservation, recordId: number): void {
    const { identity, witness, eventKey, answer, claim } = observation;
    const { counter = null, atMs = null, digest = null } = answer ?? {};
    const source = [kind, recordId, identity, witness, eventId, eventKey];
    insertObservation.run(...source, claim.status, claim.time, counter, atMs, digest, claimText(claim));
  }

  function recordMoves(
    kind: RecordKind,
    recordId: number,
    known: Statuses,
    states: readonly RecordState[],
    nowMs: number,
  ): void {
    let n = known === NOTHING_YET ? 0 : (lastMove.get(kind, recordId) ?? 0);
    let before = known;
    for (const state of states) {
      const after = { reported: state.reported?.status ?? null, confirmed: state.confirmed?.status ?? null };
      for (const field of ['reported', 'confirmed'] as const) {
        const [from, to] = [before[field], after[field]];
        if (from === to) continue;
        const gap = from !== null && to !== null && isGap(kind, from, to);
        insertMove.run(kind, recordId, ++n, nowMs, field, from, to, Number(gap));
      }
      before = after;
    }
  }

  return {
    /**
     * Adds observations of one record and folds it again; null when it has all of them. Idempotent; the caller holds the
     * transaction. `dueAfter` returns the next due time after an answer; without it news makes the record due.
     */
    observe,
    /**
     * Removes the observations of a refused request where no other witness has observed the record: the service has no such
     * record. The record is removed too, unless it was checked or is tracked. The caller holds the transaction.
     */
    retract,
  };
}

/** Up to this many observations each has its own fold, so that the history has each move; beyond, one fold for all. */
const STEPWISE = 64;

function statesAlong(kind: RecordKind, before: readonly Observation[], fresh: readonly Observation[]): RecordState[] {
  if (before.length + fresh.length > STEPWISE) return [fold(kind, [...before, ...fresh])];
  return fresh.map((_, index) => fold(kind, [...before, ...fresh.slice(0, index + 1)]));
}

function notYetIn(before: readonly Observation[], group: readonly RecordObservation[]): RecordObservation[] {
  const seen = new Set(before.map(({ identity }) => identity));
  return group.filter(({ observation }) => !seen.has(observation.identity) && seen.add(observation.identity));
}

export interface Statuses {
  readonly reported: string | null;
  readonly confirmed: string | null;
}

interface KnownRecord extends Statuses {
  readonly id: number;
  readonly due_at: number | null;
}

const NOTHING_YET: Statuses = { reported: null, confirmed: null };
/** Other tables with rows about a record. */
const REFERRING = ['checks', 'tracked', 'findings', 'history'];
const STATE_COLUMNS = ['reported', 'reported_time', 'confirmed', 'confirmed_at', 'changed_at', 'due_at'];

function recordStatements(database: Database, kind: RecordKind) {
  const columns = [...STATE_COLUMNS, ...columnNames(kind)];
  const created = [...columns, 'environment', 'reference', 'first_seen_at'];
  return {
    find: database.prepare<[string, Environment], KnownRecord>(
      `SELECT id, reported, confirmed, due_at FROM ${kind}s WHERE reference = ? AND environment = ?`,
    ),
    create: database.prepare(
      `INSERT INTO ${kind}s (${created.join(', ')}) VALUES (${created.map(() => '?').join(', ')})`,
    ),
    // News of a pruned record may hold personal data again.
    update: database.prepare(
      `UPDATE ${kind}s SET ${columns.map((name) => `${name} = ?`).join(', ')}, pruned_at = NULL WHERE id = ?`,
    ),
    removeUnreferred: database.prepare<{ kind: RecordKind; id: number }>(`
      DELETE FROM ${kind}s WHERE id = @id
        ${REFERRING.map((table) => `AND NOT EXISTS (SELECT 1 FROM ${table} WHERE kind = @kind AND record_id = @id)`).join(' ')}`),
  };
}

function stateColumns(
  kind: RecordKind,
  { reported, confirmed, confirmedAtMs, facts, details }: RecordState,
  nowMs: number,
  dueAtMs: number | null,
): unknown[] {
  const statuses = [reported?.status ?? null, reported?.time ?? null, confirmed?.status ?? null, confirmedAtMs];
  return [...statuses, nowMs, dueAtMs, ...toColumns(kind, facts, details)];
}
