import type { EventState } from '../../../domain/events/event.ts';
import type { Timed } from '../../../time/clock.ts';
import { type Erasing, NOTHING_PRUNED, type PruneOrder, type PrunePlace, type PruneStep } from '../../pruning.ts';
import { type Database, writing } from '../engine/database.ts';
import { type ContentRow, contentPruner, MOST_BYTES, MOST_CONTENTS, MOST_LOOKED_AT } from './prune-contents.ts';
import { outboxPruner } from './prune-outbox.ts';

interface StrayRow {
  id: number;
  reference: string;
  state: EventState;
}

/**
 * Prunes authentic events of no known kind. Quarantined events stay: a person may not have looked at them yet, and their
 * bodies are the only evidence. `log` is called in the transaction of each step that erases something.
 */
export function strayPruner(database: Database, log: (erasing: Erasing & Timed) => void) {
  const contents = contentPruner(database);
  const outbox = outboxPruner(database);
  // The order of the index of events without a record.
  const candidates = database.prepare<unknown[], StrayRow>(`
    SELECT id, reference, state FROM events
    WHERE state <> 'observed' AND (reference, id) > (@reference, @id)
    ORDER BY reference, id LIMIT @limit`);
  const contentsOf = database.prepare<unknown[], ContentRow>(`
    SELECT 'events' AS source, id, length(body) AS bytes FROM events
    WHERE id = @id AND state = 'unknown' AND pruned_at IS NULL AND last_received_at <= @beforeMs
    UNION ALL
    SELECT 'variants', variants.id, length(variants.body) FROM variants JOIN events ON events.id = event_id
    WHERE event_id = @id AND state = 'unknown' AND variants.pruned_at IS NULL AND events.last_received_at <= @beforeMs`);

  /** The next contents that may be pruned, and where the next step begins. */
  function prunable({ beforeMs, after }: PruneOrder, mostContents: number, mostBytes: number) {
    const { reference = '', id = 0 } = after?.among === 'unknown' ? after : {};
    const read = candidates.all({ reference, id, limit: MOST_LOOKED_AT });
    const rows: ContentRow[] = [];
    let bytes = 0;
    for (const stray of read) {
      for (const row of stray.state === 'unknown' ? contentsOf.all({ id: stray.id, beforeMs }) : []) {
        rows.push(row);
        bytes += row.bytes;
      }
      if (rows.length >= mostContents || bytes >= mostBytes) return { rows, bytes, next: placeOf(stray) };
    }
    const last = read.length === MOST_LOOKED_AT ? read.at(-1) : undefined;
    return { rows, bytes, next: last === undefined ? null : placeOf(last) };
  }

  const empty = writing(database, (digested: Parameters<typeof contents.empty>[0], order: PruneOrder & Timed) => {
    for (const { source, id } of digested) if (source === 'events') outbox.emptyOfEvent(id);
    if (digested.length > 0) log(order);
    return contents.empty(digested, order.nowMs);
  });

  return {
    survey(order: PruneOrder): PruneStep {
      const { rows, bytes, next } = prunable(order, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
      const of = (source: ContentRow['source']) => rows.filter((row) => row.source === source).length;
      return { ...NOTHING_PRUNED, events: of('events'), variants: of('variants'), bytes, next };
    },

    prune(order: PruneOrder & Timed): PruneStep {
      const { rows, next } = prunable(order, MOST_CONTENTS, MOST_BYTES);
      return { ...NOTHING_PRUNED, ...empty(rows.map(contents.digested), order), next };
    },
  };
}

function placeOf({ reference, id }: StrayRow): PrunePlace {
  return { among: 'unknown', reference, id };
}
