import { isLive } from '../../../domain/forwarding/forward-row.ts';
import type { Database } from '../engine/database.ts';
import { IS_OPEN, OF_QUEUE, type Queue } from '../rows/outbox.ts';

interface FirstRow {
  id: number;
  leasedUntilMs: number | null;
}

/**
 * Keeps `is_first` on the oldest open row of each record and target, the only one that may leave. While an attempt is under
 * way its row stays first, so that an older row that is tried again does not leave beside it. The caller holds the transaction.
 */
export function outboxQueue(database: Database) {
  const firstOf = database.prepare<Queue, FirstRow>(
    `SELECT id, leased_until AS leasedUntilMs FROM outbox WHERE ${OF_QUEUE} AND is_first = 1`,
  );
  const oldestOf = database
    .prepare<Queue, number | null>(`SELECT min(id) FROM outbox WHERE ${OF_QUEUE} AND ${IS_OPEN}`)
    .pluck();
  const set = database.prepare<[0 | 1, number]>('UPDATE outbox SET is_first = ? WHERE id = ?');
  const newer = database
    .prepare<Queue & { id: number }, number>(
      `SELECT EXISTS (SELECT 1 FROM outbox WHERE ${OF_QUEUE} AND id > @id AND n IS NOT NULL AND replay = 0 AND ${IS_OPEN})`,
    )
    .pluck();
  const next = database
    .prepare<Queue & { id: number }, string>(
      `SELECT webhook_id FROM outbox WHERE ${OF_QUEUE} AND id > @id AND n IS NOT NULL AND replay = 0 AND ${IS_OPEN} ORDER BY id`,
    )
    .pluck();

  return {
    /** Moves the mark after a row of this queue was opened or ended. */
    advance({ target, environment, kind, reference }: Queue, nowMs: number): void {
      const queue = { target, environment, kind, reference };
      const first = firstOf.get(queue);
      if (first !== undefined && isLive(first.leasedUntilMs, nowMs)) return;
      const oldest = oldestOf.get(queue) ?? null;
      if (first?.id === oldest) return;
      if (first !== undefined) set.run(0, first.id);
      if (oldest !== null) set.run(1, oldest);
    },

    /** Whether a newer move of the same record waits. */
    hasNewer: ({ target, environment, kind, reference, id }: Queue & { readonly id: number }): boolean =>
      newer.get({ target, environment, kind, reference, id }) === 1,

    /** The webhook_id of the next newer move; the caller knows that there is one. */
    nextNewer: ({ target, environment, kind, reference, id }: Queue & { readonly id: number }): string =>
      next.get({ target, environment, kind, reference, id }) as string,
  };
}
