import { NO_RHYTHM, type Rhythm, withGap } from '../../../domain/alerts/rhythm.ts';
import type { Environment } from '../../../domain/environment.ts';
import type { EventKind } from '../../../domain/events/event.ts';
import type { Delivery } from '../../inbox.ts';
import type { Database } from '../engine/database.ts';

interface Arrivals extends Rhythm {
  environment: Environment;
  kind: EventKind;
  deliveries: number;
  events: number;
  lastAtMs: number;
}

/** What a delivery became: an event is new unless its key was known. */
interface Arrived {
  readonly kind: EventKind;
  readonly duplicate: boolean;
  readonly variant: boolean;
}

/** Counts deliveries and events per channel. A group of any size costs one read and one write for each of its channels. */
export function arrivalWrites(database: Database) {
  const known = database.prepare<[Environment, EventKind], Arrivals>(`
    SELECT environment, kind, deliveries, events, last_at AS lastAtMs, gap_sum AS gapSum, gap_squares AS gapSquares
    FROM arrivals WHERE environment = ? AND kind = ?`);
  const write = database.prepare<Arrivals>(`
    INSERT OR REPLACE INTO arrivals (environment, kind, deliveries, events, last_at, gap_sum, gap_squares)
    VALUES (@environment, @kind, @deliveries, @events, @lastAtMs, @gapSum, @gapSquares)`);

  function addOne(news: Omit<Arrivals, keyof Rhythm>): void {
    const before = known.get(news.environment, news.kind);
    if (before === undefined) write.run({ ...news, ...NO_RHYTHM });
    else {
      const lastAtMs = Math.max(before.lastAtMs, news.lastAtMs);
      const rhythm = withGap(before, lastAtMs - before.lastAtMs);
      const [deliveries, events] = [before.deliveries + news.deliveries, before.events + news.events];
      write.run({ ...news, ...rhythm, deliveries, events, lastAtMs });
    }
  }

  return {
    /** Adds a group of kept deliveries, each with what it became at the same place. The caller holds the transaction. */
    add(group: readonly Delivery[], kept: readonly Arrived[]): void {
      const channels = new Map<string, Omit<Arrivals, keyof Rhythm>>();
      for (const [index, { environment, receivedAtMs }] of group.entries()) {
        const { kind, duplicate, variant } = kept[index] as Arrived;
        const events = duplicate || variant ? 0 : 1;
        const channel = `${environment} ${kind}`;
        const sum = channels.get(channel);
        if (sum === undefined)
          channels.set(channel, { environment, kind, deliveries: 1, events, lastAtMs: receivedAtMs });
        else {
          sum.deliveries++;
          sum.events += events;
          sum.lastAtMs = Math.max(sum.lastAtMs, receivedAtMs);
        }
      }
      for (const sum of channels.values()) addOne(sum);
    },
  };
}
