import type { RecordKind } from '../../../domain/records/lifecycle.ts';
import { fold } from '../../../domain/records/observe.ts';
import type { ReportedMove } from '../../events.ts';
import type { Database } from '../engine/database.ts';
import { type ObservationRow, observationFromRow } from '../rows/observations.ts';

interface ArrivalRow extends ObservationRow {
  event_id: number;
  /** When this content, an event's first one or a variant, was first received. */
  received_at: number;
}

/**
 * Finds how one event moved the reported status. History has when a status moved, not by which event, so the observations
 * are folded twice: as they were before the event, and with it.
 */
export function eventMoves(database: Database) {
  const webhooksOf = database.prepare<[RecordKind, number], ArrivalRow>(`
    SELECT o.identity, o.witness, o.event_key, o.status, o.time, o.answer_counter, o.answered_at, o.claim, o.event_id,
           CASE WHEN o.identity LIKE 'variant %'
             THEN (SELECT v.received_at FROM variants v WHERE v.id = CAST(substr(o.identity, 9) AS INTEGER))
             ELSE e.received_at END AS received_at
    FROM observations o JOIN events e ON e.id = o.event_id
    WHERE o.kind = ? AND o.record_id = ? AND o.witness = 'webhook'`);

  return {
    /** Null when the event's first content made no observation of this record. */
    moveOf(kind: RecordKind, recordId: number, eventId: number): ReportedMove | null {
      const rows = webhooksOf.all(kind, recordId);
      const own = rows.find(({ identity }) => identity === `event ${eventId}`);
      if (own === undefined) return null;
      const before = rows.filter((row) => isBefore(row, own)).map((row) => observationFromRow(kind, row));
      const reported = (set: typeof before) => fold(kind, set).reported?.status ?? null;
      return { from: reported(before), to: reported([...before, observationFromRow(kind, own)]) };
    },
  };
}

/** Events are compared by id, which is the order of arrival; a variant has ids of its own, so by time. */
function isBefore(row: ArrivalRow, own: ArrivalRow): boolean {
  if (row.event_id >= own.event_id) return false;
  return row.identity === `event ${row.event_id}` || row.received_at <= own.received_at;
}
