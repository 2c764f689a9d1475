import type { Config } from '../../../src/config/load.ts';
import { followIfBehind } from '../../../src/reconcile/exceptions/follow.ts';
import { type QueueDay, queueDay } from '../../../src/reconcile/exceptions/queue.ts';
import type { Archive } from '../../../src/store/archive.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { withArchive } from '../../context/archive.ts';

/** Runs `work` on the queue as the last whole run left it; a run whose process died is followed to its end first. */
export async function withQueue<Result>(
  argv: { config?: string | undefined },
  work: (archive: Archive, config: Config, day: QueueDay) => Promise<Result>,
): Promise<Result> {
  return withArchive(argv, async (archive, config) => {
    await followIfBehind(archive, () => storeOf(config).operations());
    return work(archive, config, await queueDay(config, systemClock.nowMs()));
  });
}
