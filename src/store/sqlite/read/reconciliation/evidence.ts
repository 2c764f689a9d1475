import { perKind, type RecordKind } from '../../../../domain/records/lifecycle.ts';
import { type LearntStatus, MOST_EVENTS, type RecordEvidence } from '../../../reconciliation.ts';
import type { Database } from '../../engine/database.ts';
import { snapshot } from '../../engine/reading.ts';
import { LEARNT_AT } from './fragments.ts';

interface Place {
  readonly id: number;
  readonly asAtMs: number;
}

interface MoveRow {
  readonly status: string | null;
  readonly learntAtMs: number;
}

/** Reads what a break rests on, as it was known at a time. */
export function evidenceReads(database: Database) {
  const events = perKind((kind) =>
    database
      .prepare<Place, number>(`
        SELECT DISTINCT o.event_id FROM ${kind}s r JOIN observations o ON o.kind = '${kind}' AND o.record_id = r.id
        WHERE r.id = @id AND o.event_id IS NOT NULL AND ${LEARNT_AT} <= @asAtMs
        ORDER BY o.event_id LIMIT ${MOST_EVENTS}`)
      .pluck(),
  );
  const answer = database
    .prepare<Place & { kind: RecordKind }, number | null>(`
      SELECT max(answer_counter) FROM observations
      WHERE kind = @kind AND record_id = @id AND witness = 'api' AND answered_at <= @asAtMs`)
    .pluck();
  const move = database.prepare<Place & { kind: RecordKind; field: string }, MoveRow>(`
    SELECT to_status AS status, at AS learntAtMs FROM history
    WHERE kind = @kind AND record_id = @id AND field = @field AND at <= @asAtMs ORDER BY n DESC LIMIT 1`);

  function learnt(kind: RecordKind, place: Place, field: 'reported' | 'confirmed'): LearntStatus | null {
    const row = move.get({ ...place, kind, field });
    return row === undefined || row.status === null ? null : { status: row.status, learntAtMs: row.learntAtMs };
  }

  return snapshot(database, (kind: RecordKind, ids: readonly number[], asAtMs: number): RecordEvidence[] =>
    ids.map((recordId) => {
      const place = { id: recordId, asAtMs };
      return {
        recordId,
        events: events[kind].all(place),
        answer: answer.get({ ...place, kind }) ?? null,
        webhook: learnt(kind, place, 'reported'),
        service: learnt(kind, place, 'confirmed'),
      };
    }),
  );
}
