import type { Environment } from '../../../domain/environment.ts';
import type { EventKind } from '../../../domain/events/event.ts';
import type { FindingCode } from '../../../domain/findings/finding.ts';
import { newsBytes, newsOf } from '../../../domain/forwarding/forward-body.ts';
import type { RowState } from '../../../domain/forwarding/forward-row.ts';
import { perKind, RECORD_KINDS } from '../../../domain/records/lifecycle.ts';
import { StoreError } from '../../error.ts';
import type { Database } from '../engine/database.ts';
import { checkReads } from '../read/checks.ts';
import { damagedRows } from '../read/damaged-rows.ts';
import { eventMoves } from '../read/event-move.ts';
import { findingReads } from '../read/findings.ts';
import { recordReads } from '../read/records.ts';
import { OF_QUEUE, type Queue } from '../rows/outbox.ts';

interface NewsRow extends Queue {
  id: number;
  webhookId: string;
  environment: Environment;
  kind: EventKind;
  recordId: number | null;
  n: number | null;
  eventId: number | null;
  replay: number;
  type: string;
}

interface MoveRow {
  readonly from: string | null;
  readonly to: string;
  readonly atMs: number;
}

interface EventRow {
  readonly updatedAt: string;
  readonly body: Buffer;
  readonly prunedAtMs: number | null;
}

/** Builds the body of a row from the record as it is now. The caller holds the transaction that leases the row first. */
export function outboxBody(database: Database) {
  const damaged = damagedRows(database, undefined);
  const parts = { findings: findingReads(database), checks: checkReads(database), damaged };
  const records = perKind((kind) => recordReads(database, kind, parts));
  const moves = eventMoves(database);
  const rowOf = database.prepare<[number], NewsRow>(`
    SELECT id, webhook_id AS webhookId, target, environment, kind, reference, record_id AS recordId, n, event_id AS eventId, replay, type
    FROM outbox WHERE id = ?`);
  const moveOf = database.prepare<[string, number, number], MoveRow>(`
    SELECT from_status AS "from", to_status AS "to", at AS atMs FROM history WHERE kind = ? AND record_id = ? AND n = ?`);
  const eventOf = database.prepare<[number], EventRow>(
    'SELECT updated_at AS updatedAt, body, pruned_at AS prunedAtMs FROM events WHERE id = ?',
  );
  const claiming = database.prepare<[string, number, string], EventRow>(`
    SELECT updated_at AS updatedAt, body, pruned_at AS prunedAtMs
    FROM observations AS o JOIN events AS e ON e.id = o.event_id
    WHERE o.kind = ? AND record_id = ? AND o.status = ? AND identity = 'event ' || e.id
    ORDER BY e.id DESC LIMIT 1`);
  // Since the last row that was delivered before it: what the consumer has not had, or may not have had.
  const leftOut = database.prepare<Queue & { id: number }, { webhookId: string; state: RowState }>(`
    SELECT webhook_id AS webhookId, state FROM outbox
    WHERE ${OF_QUEUE} AND id < @id AND state IN ('superseded', 'dead', 'dropped')
      AND id > coalesce((SELECT max(id) FROM outbox WHERE ${OF_QUEUE} AND id < @id AND state = 'delivered'), 0)
    ORDER BY id`);

  return (id: number, includeBody: boolean): Uint8Array => {
    const row = rowOf.get(id) as NewsRow;
    const kind = RECORD_KINDS.find((one) => one === row.kind);
    const { recordId, eventId, n, target, environment, reference } = row;
    const record = kind === undefined || recordId === null ? null : records[kind].ofId(recordId);
    const move = n === null || recordId === null ? undefined : moveOf.get(row.kind, recordId, n);
    const event = eventId === null ? undefined : eventOf.get(eventId);
    // Without one of them the body would be news of another kind, which a consumer may act on.
    requireFound('record', recordId !== null && record === null);
    requireFound('move of the confirmed status', n !== null && move === undefined);
    requireFound('event', eventId !== null && event === undefined);
    const source =
      event ?? (move === undefined || recordId === null ? undefined : claiming.get(row.kind, recordId, move.to));
    const left = leftOut.all({ id, target, environment, kind: row.kind, reference });
    const reported = (): string | null =>
      kind === undefined || recordId === null || eventId === null
        ? null
        : (moves.moveOf(kind, recordId, eventId)?.from ?? null);
    const news = newsOf({
      ...row,
      move: move === undefined || n === null ? null : { ...move, n },
      event: event === undefined ? null : { previous: reported(), updatedAt: event.updatedAt },
      record,
      openFindings: openFindings(),
      supersedes: row.replay > 0 ? [] : idsIn(left, (state) => state === 'superseded'),
      missing: idsIn(left, (state) => state !== 'superseded'),
      replayed: row.replay > 0,
    });
    const eventBody = source === undefined || source.prunedAtMs !== null ? null : source.body;
    return newsBytes(news, includeBody ? eventBody : undefined);

    function openFindings(): FindingCode[] {
      if (kind === undefined || recordId === null) return [];
      return parts.findings.openOf(kind, recordId).map(({ code }) => code);
    }
  };
}

function requireFound(what: string, isMissing: boolean): void {
  if (isMissing) throw new StoreError('other', `the database has no such ${what}.`);
}

function idsIn(rows: readonly { webhookId: string; state: RowState }[], fits: (state: RowState) => boolean): string[] {
  return rows.filter(({ state }) => fits(state)).map(({ webhookId }) => webhookId);
}
