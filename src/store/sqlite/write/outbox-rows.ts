import { hash } from 'node:crypto';
import type { Environment } from '../../../domain/environment.ts';
import type { EventKind } from '../../../domain/events/event.ts';
import { selectsMove, type TargetRules } from '../../../domain/forwarding/forward-target.ts';
import type { RecordKind } from '../../../domain/records/lifecycle.ts';
import type { StatusMove } from '../../../domain/records/record-move.ts';
import type { Database } from '../engine/database.ts';
import { IS_OPEN, OF_QUEUE, TARGET_COLUMNS, type TargetRow, targetFromRow } from '../rows/outbox.ts';

/** What a row is about. */
export interface NewRow {
  readonly target: string;
  readonly environment: Environment;
  readonly kind: EventKind;
  readonly reference: string;
  readonly recordId: number | null;
  readonly n: number | null;
  readonly eventId: number | null;
  readonly replay: number;
  readonly type: string;
}

export interface MovedRecord {
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly reference: string;
  readonly recordId: number;
}

export type OutboxRows = ReturnType<typeof makeRows>;

const rowsOf = new WeakMap<Database, OutboxRows>();

/** What writes rows on this connection, one for all of its users, so that `written` counts every row. */
export function outboxRows(database: Database): OutboxRows {
  const known = rowsOf.get(database) ?? makeRows(database);
  rowsOf.set(database, known);
  return known;
}

function makeRows(database: Database) {
  const present = database.prepare<[], TargetRow>(
    `SELECT ${TARGET_COLUMNS} FROM forward_targets WHERE present = 1 ORDER BY name`,
  );
  const insert = database.prepare<NewRow & { webhookId: string; nowMs: number }, { is_first: 0 | 1 }>(`
    INSERT INTO outbox (webhook_id, target, environment, kind, reference, record_id, n, event_id, replay, type, state, is_first,
                        created_at, due_at)
    VALUES (@webhookId, @target, @environment, @kind, @reference, @recordId, @n, @eventId, @replay, @type, 'waiting',
            NOT EXISTS (SELECT 1 FROM outbox WHERE ${OF_QUEUE} AND ${IS_OPEN}), @nowMs, @nowMs)
    ON CONFLICT DO NOTHING
    RETURNING is_first`);
  // A failing move is superseded at its turn, which is now: its next attempt would say less than the newer one.
  const endWait = database.prepare(`
    UPDATE outbox SET due_at = @nowMs
    WHERE ${OF_QUEUE} AND is_first = 1 AND state = 'failing' AND leased_until IS NULL AND n IS NOT NULL AND replay = 0`);
  const receivers = database
    .prepare<[], number>("SELECT EXISTS (SELECT 1 FROM forward_targets WHERE present = 1 AND moment = 'received')")
    .pluck();
  let written = 0;

  function add(row: NewRow, nowMs: number): boolean {
    const added = insert.get({ ...row, webhookId: webhookIdOf(row, nowMs), nowMs });
    if (added === undefined) return false;
    written++;
    if (added.is_first === 0 && row.n !== null && row.replay === 0) endWait.run({ ...row, nowMs });
    return true;
  }

  return {
    /** Rows written on this connection since it was opened. */
    get written() {
      return written;
    },

    targets: (): TargetRules[] => present.all().map(targetFromRow),

    /** Writes one row; false when it is there already. The caller holds the transaction. */
    add,

    /** Writes what targets get of a record's moves. The caller holds the transaction that moves it. */
    addMoves(record: MovedRecord, moves: readonly (StatusMove & { readonly n: number })[], nowMs: number): void {
      const confirmed = moves.filter(({ field }) => field === 'confirmed');
      if (confirmed.length === 0) return;
      const targets = this.targets();
      for (const { from, to, n } of confirmed) {
        const { kind, environment } = record;
        for (const target of targets) {
          if (!selectsMove(target, { kind, environment, from, to })) continue;
          add({ ...record, target: target.name, n, eventId: null, replay: 0, type: `${kind}.${to}` }, nowMs);
        }
      }
    },

    /** Whether a target gets events: there may be rows to write for those that were carried out. */
    hasReceivers: (): boolean => receivers.get() === 1,
  };
}

/** The id of a row, by what it is about and when it is written: one that is written again later has another. */
function webhookIdOf(row: NewRow, nowMs: number): string {
  const { target, environment, kind, reference, recordId, n, eventId, replay, type } = row;
  const about = [target, environment, kind, reference, recordId, n, eventId, replay, type, nowMs];
  return `msg_${hash('sha256', JSON.stringify(about)).slice(0, 32)}`;
}
