import type { EventState } from '../../../domain/event.ts';
import { NOTHING_PRUNED, type PruneOrder, type PrunePlace, type PruneStep } from '../../pruning.ts';
import { type Database, writing } from '../engine/database.ts';
import { type ContentRow, contentPruner, MOST_BYTES, MOST_CONTENTS, MOST_LOOKED_AT } from './prune-contents.ts';

interface StrayRow {
  id: number;
  reference: string;
  state: EventState;
}

/**
 * Authentic events of no kind we know. Quarantined ones stay: nobody can tell whether a person has looked at them, and their
 * bodies are all there is.
 */
export function strayPruner(database: Database) {
  const contents = contentPruner(database);
  // The index of events that have no record is in this order.
  const candidates = database.prepare<unknown[], StrayRow>(`
    SELECT id, reference, state FROM events
    WHERE state <> 'observed' AND (reference, id) > (@reference, @id)
    ORDER BY reference, id LIMIT @limit`);
  const contentsOf = database.prepare<unknown[], ContentRow>(`
    SELECT 'events' AS source, id, length(body) AS bytes FROM events
    WHERE id = @id AND state = 'unknown' AND pruned_at IS NULL AND last_received_at <= @beforeMs
      AND id <= (SELECT last_id FROM apply_progress WHERE source = 'events')
    UNION ALL
    SELECT 'variants', variants.id, length(variants.body) FROM variants JOIN events ON events.id = event_id
    WHERE event_id = @id AND state = 'unknown' AND variants.pruned_at IS NULL AND events.last_received_at <= @beforeMs
      AND variants.id <= (SELECT last_id FROM apply_progress WHERE source = 'variants')`);

  /** The next contents that may go, and where to go on. */
  function look({ beforeMs, after }: PruneOrder, mostContents: number, mostBytes: number) {
    const { reference = '', id = 0 } = after?.among === 'unknown' ? after : {};
    const looked = candidates.all({ reference, id, limit: MOST_LOOKED_AT });
    const rows: ContentRow[] = [];
    let bytes = 0;
    for (const stray of looked) {
      for (const row of stray.state === 'unknown' ? contentsOf.all({ id: stray.id, beforeMs }) : []) {
        rows.push(row);
        bytes += row.bytes;
      }
      if (rows.length >= mostContents || bytes >= mostBytes) return { rows, bytes, next: placeOf(stray) };
    }
    const last = looked.length === MOST_LOOKED_AT ? looked.at(-1) : undefined;
    return { rows, bytes, next: last === undefined ? null : placeOf(last) };
  }

  const empty = writing(database, contents.empty);

  return {
    survey(order: PruneOrder): PruneStep {
      const { rows, bytes, next } = look(order, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
      const of = (source: ContentRow['source']) => rows.filter((row) => row.source === source).length;
      return { ...NOTHING_PRUNED, events: of('events'), variants: of('variants'), bytes, next };
    },

    prune(order: PruneOrder & { readonly nowMs: number }): PruneStep {
      const { rows, next } = look(order, MOST_CONTENTS, MOST_BYTES);
      return { ...NOTHING_PRUNED, ...empty(rows.map(contents.digested), order.nowMs), next };
    },
  };
}

function placeOf({ reference, id }: StrayRow): PrunePlace {
  return { among: 'unknown', reference, id };
}
