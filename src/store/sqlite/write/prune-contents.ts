import { contentDigest } from '../../../domain/events/event.ts';
import type { ContentSource } from '../../../domain/events/webhook-observation.ts';
import type { Prunable } from '../../pruning.ts';
import type { Database } from '../engine/database.ts';

/** Candidates read in one step, pruned or not. */
export const MOST_LOOKED_AT = 256;
/** Contents and bytes of one transaction: a few milliseconds of the write lock. */
export const MOST_CONTENTS = 32;
export const MOST_BYTES = 1024 * 1024;

/** A content whose body will be emptied, with the digest that stays. */
export interface PrunedContent {
  readonly source: ContentSource;
  readonly id: number;
  readonly bytes: number;
  readonly contentDigest: string;
}

export interface ContentRow {
  source: ContentSource;
  id: number;
  bytes: number;
}

/** Reads the digests before the transaction that empties the bodies, which keeps that one short. */
export function contentPruner(database: Database) {
  const bodyOf = {
    events: database.prepare<[number], Buffer>('SELECT body FROM events WHERE id = ?').pluck(),
    variants: database.prepare<[number], Buffer>('SELECT body FROM variants WHERE id = ?').pluck(),
  };
  const emptyEvent = database.prepare<[string, number, number]>(
    "UPDATE events SET body = x'', content_digest = ?, pruned_at = ? WHERE id = ? AND pruned_at IS NULL",
  );
  const emptyVariant = database.prepare<[number, number]>(
    "UPDATE variants SET body = x'', pruned_at = ? WHERE id = ? AND pruned_at IS NULL",
  );

  return {
    digested({ source, id, bytes }: ContentRow): PrunedContent {
      // A variant has had its digest since it was kept.
      const digest = source === 'events' ? contentDigest(bodyOf.events.get(id) ?? Buffer.alloc(0)) : '';
      return { source, id, bytes, contentDigest: digest };
    },

    /** Empties the bodies that are still there. The caller holds the transaction. */
    empty(contents: readonly PrunedContent[], nowMs: number): Omit<Prunable, 'records'> {
      const done = { events: 0, variants: 0, bytes: 0 };
      for (const { source, id, bytes, contentDigest: digest } of contents) {
        const { changes } = source === 'events' ? emptyEvent.run(digest, nowMs, id) : emptyVariant.run(nowMs, id);
        done[source] += changes;
        if (changes > 0) done.bytes += bytes;
      }
      return done;
    },
  };
}
