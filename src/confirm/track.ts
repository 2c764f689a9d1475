import type { Expected } from '../domain/expectation-input.ts';
import { MOST_TRACKED, type Tracked, type Tracking } from '../store/tracking.ts';
import type { Clock } from '../time/clock.ts';

/**
 * Expects these of their records, in the order given. Doing it again with the same values changes nothing, so whatever was
 * cut off is simply done again.
 *
 * @throws StoreError
 */
export async function* track(
  expected: readonly Expected[],
  tracking: Tracking,
  clock: Clock,
): AsyncGenerator<Tracked, void, undefined> {
  for (let from = 0; from < expected.length; from += MOST_TRACKED) {
    yield* await tracking.track({ expected: expected.slice(from, from + MOST_TRACKED), nowMs: clock.nowMs() });
  }
}
