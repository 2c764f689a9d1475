import type { Clock } from '../../time/clock.ts';
import type { Tracking } from '../tracking.ts';
import { guarded } from './engine/reading.ts';
import { openOrCreate } from './engine/write-connection.ts';
import { trackedWrites } from './write/tracked.ts';

/**
 * Opens the tracking of a database, beside a running `serve` or without one. Makes a missing file: a reference may be tracked
 * before the first delivery.
 *
 * @throws StoreError when the file is not ours, cannot be written, or has an older or newer schema
 */
export function openTrackingStore(path: string, clock: Clock): { readonly tracking: Tracking; close(): void } {
  const { database, close } = openOrCreate(path, clock.nowMs());
  const writes = trackedWrites(database);
  return {
    tracking: {
      track: async (order) => guarded(database, writes.track)(order),
      forget: async (order) => guarded(database, writes.forget)(order),
      review: async (order) => guarded(database, writes.review)(order),
    },
    close,
  };
}
