import type { Environment } from '../../../domain/environment.ts';
import type { EventKind } from '../../../domain/event.ts';
import { NO_RHYTHM, type Rhythm, withGap } from '../../../domain/rhythm.ts';
import type { Delivery } from '../../inbox.ts';
import type { Database } from '../engine/database.ts';

interface Arrivals extends Rhythm {
  environment: Environment;
  kind: EventKind;
  deliveries: number;
  lastAtMs: number;
}

/** Counts deliveries per channel. A group of any size costs one read and one write for each of its channels. */
export function arrivalWrites(database: Database) {
  const known = database.prepare<[Environment, EventKind], Arrivals>(`
    SELECT environment, kind, deliveries, last_at AS lastAtMs, gap_sum AS gapSum, gap_squares AS gapSquares
    FROM arrivals WHERE environment = ? AND kind = ?`);
  const write = database.prepare<Arrivals>(`
    INSERT OR REPLACE INTO arrivals (environment, kind, deliveries, last_at, gap_sum, gap_squares)
    VALUES (@environment, @kind, @deliveries, @lastAtMs, @gapSum, @gapSquares)`);

  function addOne(news: Omit<Arrivals, keyof Rhythm>): void {
    const before = known.get(news.environment, news.kind);
    if (before === undefined) write.run({ ...news, ...NO_RHYTHM });
    else {
      const lastAtMs = Math.max(before.lastAtMs, news.lastAtMs);
      const rhythm = withGap(before, lastAtMs - before.lastAtMs);
      write.run({ ...news, ...rhythm, deliveries: before.deliveries + news.deliveries, lastAtMs });
    }
  }

  return {
    /** Adds a group of kept deliveries, each with its kind at the same place. The caller holds the transaction. */
    add(group: readonly Delivery[], kinds: readonly { readonly kind: EventKind }[]): void {
      const channels = new Map<string, Omit<Arrivals, keyof Rhythm>>();
      for (const [index, { environment, receivedAtMs }] of group.entries()) {
        const { kind } = kinds[index] as { kind: EventKind };
        const channel = `${environment} ${kind}`;
        const sum = channels.get(channel);
        if (sum === undefined) channels.set(channel, { environment, kind, deliveries: 1, lastAtMs: receivedAtMs });
        else {
          sum.deliveries++;
          sum.lastAtMs = Math.max(sum.lastAtMs, receivedAtMs);
        }
      }
      for (const sum of channels.values()) addOne(sum);
    },
  };
}
