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

/**
 * Counts deliveries and events per channel. A group of any size costs one read and one write for each of its channels, and the counts are
 * those of its deliveries one by one.
 */
export function arrivalWrites(database: Database) {
  const known = database.prepare<[Environment, EventKind], Arrivals>(`
    SELECT environment, kind, deliveries, events, last_at AS lastAtMs, gap_sum AS gapSum, gap_squares AS gapSquares
    FROM arrivals WHERE environment = ? AND kind = ?`);
  const write = database.prepare<Arrivals>(`
    INSERT OR REPLACE INTO arrivals (environment, kind, deliveries, events, last_at, gap_sum, gap_squares)
    VALUES (@environment, @kind, @deliveries, @events, @lastAtMs, @gapSum, @gapSquares)`);

  return {
    /** Adds a group of kept deliveries, each with what it became at the same place. The caller holds the transaction. */
    add(group: readonly Delivery[], kept: readonly Arrived[]): void {
      const channels = new Map<string, Arrivals>();
      for (const [index, { environment, receivedAtMs }] of group.entries()) {
        const { kind, duplicate, variant } = kept[index] as Arrived;
        const name = `${environment} ${kind}`;
        const none = { environment, kind, deliveries: 0, events: 0, lastAtMs: receivedAtMs, ...NO_RHYTHM };
        const before = channels.get(name) ?? known.get(environment, kind) ?? none;
        channels.set(name, {
          ...{ environment, kind, ...withGap(before, receivedAtMs - before.lastAtMs) },
          deliveries: before.deliveries + 1,
          events: before.events + (duplicate || variant ? 0 : 1),
          lastAtMs: Math.max(before.lastAtMs, receivedAtMs),
        });
      }
      for (const channel of channels.values()) write.run(channel);
    },
  };
}
