import type { Environment } from '../../../domain/environment.ts';
import type { EventKind, EventState } from '../../../domain/events/event.ts';
import { selectsEvent, type TargetRules } from '../../../domain/forwarding/forward-target.ts';
import type { Database } from '../engine/database.ts';
import { TARGET_COLUMNS, type TargetRow, targetFromRow } from '../rows/outbox.ts';
import { outboxRows } from './outbox-rows.ts';

/** Events looked at per target and call. */
const BATCH = 64;

interface EventRow {
  id: number;
  environment: Environment;
  event: string;
  kind: EventKind;
  state: EventState;
  reference: string;
  recordId: number | null;
}

type Receiver = TargetRow & { readonly eventsUntil: number };

/**
 * Writes the rows of events for targets that get them, in the order of the events. Where a target has come to is in its row, so that a crash neither skips nor repeats.
 * The caller holds the transaction.
 */
export function receivedRows(database: Database) {
  const rows = outboxRows(database);
  const receivers = database.prepare<[], Receiver>(
    `SELECT ${TARGET_COLUMNS}, events_until AS eventsUntil FROM forward_targets WHERE present = 1 AND moment = 'received'`,
  );
  const lastEvent = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM events').pluck();
  const next = database.prepare<[number, number], EventRow>(`
    SELECT id, environment, event, kind, state, reference,
      CASE kind WHEN 'refund' THEN (SELECT r.id FROM refunds r WHERE r.reference = events.reference AND r.environment = events.environment)
        WHEN 'payout' THEN (SELECT r.id FROM payouts r WHERE r.reference = events.reference AND r.environment = events.environment)
        WHEN 'collection' THEN (SELECT r.id FROM collections r WHERE r.reference = events.reference AND r.environment = events.environment)
      END AS recordId
    FROM events WHERE id > +? AND id <= +? ORDER BY id LIMIT ${BATCH}`);
  const advance = database.prepare<[number, string]>('UPDATE forward_targets SET events_until = ? WHERE name = ?');

  /** Returns where the target has come to. */
  function writeNext(target: TargetRules, after: number, until: number, nowMs: number): number {
    const events = next.all(after, until);
    for (const { id: eventId, event: type, ...event } of events) {
      if (!selectsEvent(target, { ...event, event: type })) continue;
      const { environment, kind, reference, recordId } = event;
      rows.add(
        { target: target.name, environment, kind, reference, recordId, n: null, eventId, replay: 0, type },
        nowMs,
      );
    }
    const last = events.at(-1)?.id ?? after;
    if (last !== after) advance.run(last, target.name);
    return last;
  }

  const eventsEnd = (): number => lastEvent.get() ?? 0;

  return {
    eventsEnd,

    /** The next rows of each target; true when there are more. */
    writeSome(nowMs: number): boolean {
      const until = eventsEnd();
      const behind = receivers.all().filter(({ eventsUntil }) => eventsUntil < until);
      const ends = behind.map(({ eventsUntil, ...row }) => writeNext(targetFromRow(row), eventsUntil, until, nowMs));
      return ends.some((end) => end < until);
    },

    /** All rows of each target, before other rules hold. */
    writeAll(nowMs: number): void {
      const until = eventsEnd();
      for (const { eventsUntil, ...row } of receivers.all()) {
        for (let after = eventsUntil; after < until; ) {
          const last = writeNext(targetFromRow(row), after, until, nowMs);
          if (last === after) break;
          after = last;
        }
      }
    },
  };
}
