import type { AskedRow } from '../../../domain/access/approval.ts';
import { TALLYHOOK } from '../../../domain/audit/entry.ts';
import type { Environment } from '../../../domain/environment.ts';
import type { EventKind, EventState } from '../../../domain/events/event.ts';
import { selectsEvent, selectsMove, type TargetRules } from '../../../domain/forwarding/forward-target.ts';
import { perKind, RECORD_KINDS, type RecordKind } from '../../../domain/records/lifecycle.ts';
import type { Timed } from '../../../time/clock.ts';
import { StoreError } from '../../error.ts';
import type { ReplayedEvent, ReplayOrder } from '../../outbox.ts';
import { type Database, writing } from '../engine/database.ts';
import { replayedRow } from './asked-rows.ts';
import type { GuardedAudit } from './four-eyes.ts';
import { type NewRow, outboxRows } from './outbox-rows.ts';

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

/** What a replay makes of an event; null: nothing. */
interface Planned {
  readonly key: string;
  readonly row: Omit<NewRow, 'replay'> | null;
}

interface Replayed extends Planned {
  readonly row: Omit<NewRow, 'replay'>;
}

/** Writes rows again for chosen events, behind the others of their record: nothing is applied again. */
export function outboxReplay(database: Database, audit: GuardedAudit) {
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

  /** The row of the record's latest move that the target selects. */
  function ofRecord(event: EventRow, target: TargetRules): Planned {
    const { environment, reference } = event;
    const key = `${event.kind} ${environment} ${reference}`;
    const kind = RECORD_KINDS.find((one) => one === event.kind);
    const recordId = kind === undefined ? undefined : recordIds[kind].get(reference, environment);
    if (kind === undefined || recordId === undefined) return { key, row: null };
    const move = movesOf
      .all(kind, recordId)
      .find(({ from, to }) => selectsMove(target, { kind, environment, from, to }));
    if (move === undefined) return { key, row: null };
    const type = `${kind}.${move.to}`;
    return {
      key,
      row: { target: target.name, environment, kind, reference, recordId, n: move.n, eventId: null, type },
    };
  }

  function ofEvent(event: EventRow, target: TargetRules): Planned {
    const key = `event ${event.id}`;
    if (!selectsEvent(target, event)) return { key, row: null };
    const { environment, kind, reference } = event;
    const recordId = kind === 'unknown' ? null : (recordIds[kind].get(reference, environment) ?? null);
    if (kind !== 'unknown' && recordId === null) return { key, row: null };
    const of = { target: target.name, environment, kind, reference, recordId, type: event.event };
    return { key, row: { ...of, n: null, eventId: event.id } };
  }

  function planned({ target: name, eventIds }: Pick<ReplayOrder, 'target' | 'eventIds'>): Planned[] {
    const target = rows.targets().find((one) => one.name === name);
    if (target === undefined)
      throw new StoreError('other', `The database knows no target ${name}.`, {
        hint: 'serve takes the targets of the configuration over when it starts. See: tallyhook outbox list',
      });
    const planOne = target.when === 'confirmed' ? ofRecord : ofEvent;
    return eventIds.flatMap((id) => {
      const event = eventOf.get(id);
      return event === undefined ? [] : [planOne(event, target)];
    });
  }

  /** Those of a replay that are not written yet, each once. */
  function fresh(all: readonly Planned[], replay: number): Replayed[] {
    const seen = new Set<string>();
    return all.flatMap(({ key, row }) => {
      if (row === null || seen.has(key)) return [];
      seen.add(key);
      const { recordId, kind, target, n } = row;
      const isKnown = n !== null && recordId !== null && isWritten.get(recordId, kind, target, replay) === 1;
      return isKnown ? [] : [{ key, row }];
    });
  }

  const askedOf = (all: readonly Replayed[]) => all.map(({ key, row }) => replayedRow(row.target, key, row));

  return {
    replay: writing(database, (order: ReplayOrder & Timed): { replay: number; events: readonly ReplayedEvent[] } => {
      const { by = TALLYHOOK, dryRun, nowMs } = order;
      const all = planned(order);
      const replay = order.replay ?? (lastReplay.get() ?? 0) + 1;
      const eventsOf = (isLeftOut: (key: string) => boolean) =>
        all.map(({ key, row }) => ({ key, written: row !== null && !isLeftOut(key) }));
      if (dryRun) return { replay, events: eventsOf(() => false) };
      const unwritten = fresh(all, replay);
      const asked = askedOf(unwritten);
      const mayBeWritten = new Set(audit.fourEyes.expect('replay', { by, rows: asked, nowMs }).map(({ key }) => key));
      const leftOut = new Set<string>();
      for (const [at, { key, row }] of unwritten.entries())
        if (mayBeWritten.has(asked[at]?.key ?? '')) rows.add({ ...row, replay }, nowMs);
        else leftOut.add(key);
      if (order.replay === null) {
        const subject = `replay:${order.target}/${replay}`;
        audit.append({ who: by, act: 'replay', subject, before: null, after: null, nowMs });
      }
      return { replay, events: eventsOf((key) => leftOut.has(key)) };
    }),

    /** What a replay of these events would write. */
    replayable: (order: Pick<ReplayOrder, 'target' | 'eventIds'>): AskedRow[] =>
      askedOf(fresh(planned(order), (lastReplay.get() ?? 0) + 1)),
  };
}
