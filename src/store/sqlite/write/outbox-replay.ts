import { TALLYHOOK } from '../../../domain/audit/entry.ts';
import type { Environment } from '../../../domain/environment.ts';
import type { EventKind, EventState } from '../../../domain/events/event.ts';
import { selectsEvent, selectsMove, type TargetRules } from '../../../domain/forwarding/forward-target.ts';
import { perKind, RECORD_KINDS, type RecordKind } from '../../../domain/records/lifecycle.ts';
import type { Timed } from '../../../time/clock.ts';
import { StoreError } from '../../error.ts';
import type { ReplayedEvent, ReplayOrder } from '../../outbox.ts';
import { type Database, writing } from '../engine/database.ts';
import type { AuditWrites } from './audit.ts';
import { outboxRows } from './outbox-rows.ts';

interface EventRow {
  id: number;
  environment: Environment;
  event: string;
  kind: EventKind;
  state: EventState;
  reference: string;
}

interface MoveRow {
  n: number;
  from: string | null;
  to: string | null;
}

/** Writes rows again for chosen events, behind the others of their record: nothing is applied again. */
export function outboxReplay(database: Database, audit: AuditWrites) {
  const rows = outboxRows(database);
  const lastReplay = database.prepare<[], number>('SELECT coalesce(max(replay), 0) FROM outbox').pluck();
  const eventOf = database.prepare<[number], EventRow>(
    'SELECT id, environment, event, kind, state, reference FROM events WHERE id = ?',
  );
  const recordIds = perKind((kind) =>
    database
      .prepare<[string, Environment], number>(`SELECT id FROM ${kind}s WHERE reference = ? AND environment = ?`)
      .pluck(),
  );
  const movesOf = database.prepare<[RecordKind, number], MoveRow>(`
    SELECT n, from_status AS "from", to_status AS "to" FROM history
    WHERE kind = ? AND record_id = ? AND field = 'confirmed' ORDER BY n DESC`);
  const isWritten = database
    .prepare<[number, string, string, number], number>(
      'SELECT 1 FROM outbox WHERE record_id = ? AND kind = ? AND target = ? AND replay = ? AND n IS NOT NULL',
    )
    .pluck();

  function ofRecord(event: EventRow, order: ReplayOrder & Timed, target: TargetRules, replay: number): ReplayedEvent {
    const { environment, reference } = event;
    const key = `${event.kind} ${environment} ${reference}`;
    const kind = RECORD_KINDS.find((one) => one === event.kind);
    const recordId = kind === undefined ? undefined : recordIds[kind].get(reference, environment);
    if (kind === undefined || recordId === undefined) return { key, written: false };
    const move = movesOf
      .all(kind, recordId)
      .find(({ from, to }) => selectsMove(target, { kind, environment, from, to }));
    if (move === undefined) return { key, written: false };
    if (order.dryRun || isWritten.get(recordId, kind, target.name, replay) === 1) return { key, written: true };
    const type = `${kind}.${move.to}`;
    const row = { target: target.name, environment, kind, reference, recordId, n: move.n, eventId: null, replay, type };
    rows.add(row, order.nowMs);
    return { key, written: true };
  }

  function ofEvent(event: EventRow, order: ReplayOrder & Timed, target: TargetRules, replay: number): ReplayedEvent {
    const key = `event ${event.id}`;
    if (!selectsEvent(target, event)) return { key, written: false };
    const { environment, kind, reference } = event;
    const recordId = kind === 'unknown' ? null : (recordIds[kind].get(reference, environment) ?? null);
    if (kind !== 'unknown' && recordId === null) return { key, written: false };
    const row = { target: target.name, environment, kind, reference, recordId, n: null, eventId: event.id, replay };
    if (!order.dryRun) rows.add({ ...row, type: event.event }, order.nowMs);
    return { key, written: true };
  }

  return {
    replay: writing(database, (order: ReplayOrder & Timed): { replay: number; events: readonly ReplayedEvent[] } => {
      const target = rows.targets().find(({ name }) => name === order.target);
      if (target === undefined)
        throw new StoreError('other', `The database knows no target ${order.target}.`, {
          hint: 'serve takes the targets of the configuration over when it starts. See: tallyhook outbox list',
        });
      const replay = order.replay ?? (lastReplay.get() ?? 0) + 1;
      const replayOne = target.when === 'confirmed' ? ofRecord : ofEvent;
      const events = order.eventIds.flatMap((id) => {
        const event = eventOf.get(id);
        return event === undefined ? [] : [replayOne(event, order, target, replay)];
      });
      if (order.replay === null && !order.dryRun) {
        const [who, subject] = [order.by ?? TALLYHOOK, `replay:${target.name}/${replay}`];
        audit.append({ who, act: 'replay', subject, before: null, after: null, nowMs: order.nowMs });
      }
      return { replay, events };
    }),
  };
}
