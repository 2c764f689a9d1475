import { perKind, type RecordKind } from '../../../../domain/records/lifecycle.ts';
import { type LearntStatus, MOST_EVENTS, type RecordEvidence } from '../../../reconciliation.ts';
import type { Database } from '../../engine/database.ts';
import { snapshot } from '../../engine/reading.ts';
import { LEARNT_AT } from './fragments.ts';

interface Asked {
  readonly kind: RecordKind;
  /** JSON. */
  readonly ids: string;
  readonly asAtMs: number;
}

interface MoveRow {
  readonly recordId: number;
  readonly field: 'reported' | 'confirmed';
  readonly status: string | null;
  readonly learntAtMs: number;
}

/** Reads what breaks rest on, as it was known at a time: that of all of them at once, since a list may have a million. */
export function evidenceReads(database: Database) {
  const events = perKind((kind) =>
    database.prepare<Asked, { recordId: number; event: number }>(`
      SELECT recordId, event FROM (
        SELECT recordId, event, row_number() OVER (PARTITION BY recordId ORDER BY event) AS place FROM (
          SELECT DISTINCT r.id AS recordId, o.event_id AS event
          FROM json_each(@ids) i CROSS JOIN ${kind}s r ON r.id = i.value
            CROSS JOIN observations o ON o.kind = @kind AND o.record_id = r.id
          WHERE o.event_id IS NOT NULL AND ${LEARNT_AT} <= @asAtMs))
      WHERE place <= ${MOST_EVENTS} ORDER BY recordId, event`),
  );
  const answers = database.prepare<Asked, { recordId: number; answer: number | null }>(`
    SELECT o.record_id AS recordId, max(o.answer_counter) AS answer
    FROM json_each(@ids) i CROSS JOIN observations o ON o.kind = @kind AND o.record_id = i.value
    WHERE o.witness = 'api' AND coalesce(o.learnt_at, o.answered_at) <= @asAtMs GROUP BY o.record_id`);
  // The status and the time are those of the row with the highest number.
  const moves = database.prepare<Asked, MoveRow>(`
    SELECT h.record_id AS recordId, h.field, h.to_status AS status, h.at AS learntAtMs, max(h.n)
    FROM json_each(@ids) i CROSS JOIN history h ON h.kind = @kind AND h.record_id = i.value
    WHERE h.at <= @asAtMs GROUP BY h.record_id, h.field`);

  return snapshot(database, (kind: RecordKind, ids: readonly number[], asAtMs: number): RecordEvidence[] => {
    const asked = { kind, ids: JSON.stringify(ids), asAtMs };
    const eventsOf = Map.groupBy(events[kind].all(asked), ({ recordId }) => recordId);
    const answerOf = new Map(answers.all(asked).map(({ recordId, answer }) => [recordId, answer]));
    const learnt = new Map(moves.all(asked).map((move) => [`${move.recordId} ${move.field}`, learntStatus(move)]));
    return ids.map((recordId) => ({
      recordId,
      events: eventsOf.get(recordId)?.map(({ event }) => event) ?? [],
      answer: answerOf.get(recordId) ?? null,
      webhook: learnt.get(`${recordId} reported`) ?? null,
      service: learnt.get(`${recordId} confirmed`) ?? null,
    }));
  });
}

function learntStatus({ status, learntAtMs }: MoveRow): LearntStatus | null {
  return status === null ? null : { status, learntAtMs };
}
