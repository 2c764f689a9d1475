import type { Clock } from '../../time/clock.ts';
import type { Tracking } from '../tracking.ts';
import { storeError } from './engine/failure.ts';
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
  const log = trackedWrites(database);
  const guarded =
    <Input, Result>(work: (input: Input) => Result) =>
    async (input: Input): Promise<Result> => {
      try {
        return work(input);
      } catch (error) {
        throw storeError(error, database.name);
      }
    };
  return {
    tracking: { track: guarded(log.track), forget: guarded(log.forget), review: guarded(log.review) },
    close,
  };
}
