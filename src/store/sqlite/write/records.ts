import type { Environment } from '../../../domain/environment.ts';
import { perKind, type RecordKind } from '../../../domain/records/lifecycle.ts';
import type { RecordObservation } from '../../../domain/records/observation.ts';
import { fold, type RecordState } from '../../../domain/records/observe.ts';
import {
  afterRefusal,
  dueByNews,
  type RecordMove,
  recordMove,
  type Statuses,
} from '../../../domain/records/record-move.ts';
import type { Database } from '../engine/database.ts';
import { movesBefore } from '../engine/generation.ts';
import { type ObservationRow, observationFromRow, statedText } from '../rows/observations.ts';
import { columnNames, toColumns } from '../rows/record-columns.ts';
import type { BooksTime } from './books-time.ts';
import { expectationWrites } from './expectations.ts';
import { findingWrites } from './findings.ts';
import { outboxRows } from './outbox-rows.ts';

/** A record and what observations change of it, not written yet. */
interface Moving {
  readonly named: Named;
  /** Undefined for a record's first observation. */
  readonly known: KnownRecord | undefined;
  readonly move: RecordMove;
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
                              answer_counter, answered_at, content_digest, claim, learnt_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
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
  const referring = REFERRING.map((table) => `EXISTS (SELECT 1 FROM ${table} WHERE kind = @kind AND record_id = @id)`);
  const isReferred = database
    .prepare<{ kind: RecordKind; id: number }, number>(`SELECT ${referring.join(' OR ')}`)
    .pluck();
  const findings = findingWrites(database);
  const expectations = expectationWrites(database);
  const outbox = outboxRows(database);
  const earlierMoves = movesBefore(database); // a restore needs the file alone: it stays the same while this is open

  function read(group: readonly RecordObservation[]): Moving | null {
    const [named] = group;
    if (named === undefined) return null;
    const { kind, environment, reference } = named;
    const known = tables[kind].find.get(reference, environment);
    // The most frequent case, a record's first observation, has no set to read back.
    const before =
      known === undefined ? [] : observationsOf.all(kind, known.id).map((row) => observationFromRow(kind, row));
    const move = recordMove(kind, known ?? NOTHING_YET, before, group);
    return move === null ? null : { named, known, move };
  }

  function write(
    { named, known, move }: Moving,
    time: BooksTime,
    dueAtMs: number | null,
    seq = known?.changed_seq ?? 0,
  ): number {
    const { kind, environment, reference } = named;
    const { state } = move;
    const { nowMs, learntMs, observedMs } = time;
    const table = tables[kind];
    const values = stateColumns(kind, state, { learntMs, dueAtMs, seq });
    const recordId = known?.id ?? Number(table.create.run(...values, environment, reference, learntMs).lastInsertRowid);
    if (known !== undefined) table.update.run(...values, recordId);
    for (const observation of move.fresh) insert(observation, recordId, observedMs);
    let n = Math.max(earlierMoves, known === undefined ? 0 : (lastMove.get(kind, recordId) ?? 0));
    const moves = move.moves.map((each) => ({ ...each, n: ++n }));
    for (const { n: place, field, from, to, gap } of moves) {
      insertMove.run(kind, recordId, place, learntMs, field, from, to, Number(gap));
    }
    outbox.addMoves({ kind, environment, reference, recordId }, moves, nowMs);
    if (state.findings.length > 0 || known !== undefined) {
      findings.settle({ record: named, recordId, current: state.findings, nowMs: learntMs });
    }
    // A tracked reference has its record already.
    if (known !== undefined) expectations.review(kind, recordId, time);
    return recordId;
  }

  function retract(one: Named, { learntMs }: BooksTime): void {
    const { kind, environment, reference } = one;
    const table = tables[kind];
    const known = table.find.get(reference, environment);
    if (known === undefined) return;
    const witnesses = observationsOf.all(kind, known.id).map(({ witness }) => witness);
    const fate = afterRefusal(witnesses, isReferred.get({ kind, id: known.id }) === 1);
    if (fate === 'kept') return;
    forgetObservations.run(kind, known.id);
    if (fate === 'removed') {
      table.remove.run(known.id);
      return;
    }
    const times = { learntMs, dueAtMs: known.due_at, seq: known.changed_seq };
    table.update.run(...stateColumns(kind, fold(kind, []), times), known.id);
    findings.settle({ record: one, recordId: known.id, current: [], nowMs: learntMs });
  }

  function insert(
    { kind, eventId, observation }: RecordObservation,
    recordId: number,
    observedMs: number | null,
  ): void {
    const { identity, witness, eventKey, answer, stated } = observation;
    const { counter = null, atMs = null, digest = null } = answer ?? {};
    const source = [kind, recordId, identity, witness, eventId, eventKey];
    insertObservation.run(...source, stated.status, stated.time, counter, atMs, digest, statedText(stated), observedMs);
  }

  return {
    /** Reads a record and folds it again with new observations of it; null when it has all of them. */
    read,
    /** Writes what `read` returned, in the same transaction, which the caller holds; returns the record's id. */
    write,
    /**
     * Both, where news makes the record due; returns its id. Idempotent: null when the record has all observations. `seq`: the entry of the
     * log that is carried out; missing: none is.
     */
    observe(group: readonly RecordObservation[], time: BooksTime, seq?: number): number | null {
      const moving = read(group);
      if (moving === null) return null;
      return write(moving, time, dueByNews(moving.known?.due_at ?? null, time.nowMs + debounceMs), seq);
    },
    /**
     * Removes the observations of a refused request where no other witness has observed the record: the service has no such
     * record. The record is removed too, unless it was checked or is tracked. The caller holds the transaction.
     */
    retract,
  };
}

interface KnownRecord extends Statuses {
  readonly id: number;
  readonly due_at: number | null;
  readonly changed_seq: number;
}

const NOTHING_YET: Statuses = { reported: null, confirmed: null };
/** Other tables with rows about a record. */
const REFERRING = ['checks', 'tracked', 'findings', 'history'];
const STATE_COLUMNS = ['reported', 'reported_time', 'confirmed', 'confirmed_at', 'changed_at', 'due_at', 'changed_seq'];

function recordStatements(database: Database, kind: RecordKind) {
  const columns = [...STATE_COLUMNS, ...columnNames(kind)];
  const created = [...columns, 'environment', 'reference', 'first_seen_at'];
  return {
    find: database.prepare<[string, Environment], KnownRecord>(
      `SELECT id, reported, confirmed, due_at, changed_seq FROM ${kind}s WHERE reference = ? AND environment = ?`,
    ),
    create: database.prepare(
      `INSERT INTO ${kind}s (${created.join(', ')}) VALUES (${created.map(() => '?').join(', ')})`,
    ),
    // News of a pruned record may hold personal data again.
    update: database.prepare(
      `UPDATE ${kind}s SET ${columns.map((name) => `${name} = ?`).join(', ')}, pruned_at = NULL WHERE id = ?`,
    ),
    remove: database.prepare<[number]>(`DELETE FROM ${kind}s WHERE id = ?`),
  };
}

function stateColumns(
  kind: RecordKind,
  { reported, confirmed, confirmedAtMs, ...fields }: RecordState,
  { learntMs, dueAtMs, seq }: { learntMs: number; dueAtMs: number | null; seq: number },
): unknown[] {
  const statuses = [reported?.status ?? null, reported?.time ?? null, confirmed?.status ?? null, confirmedAtMs];
  return [...statuses, learntMs, dueAtMs, seq, ...toColumns(kind, fields)];
}
