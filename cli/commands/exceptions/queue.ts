import type { Config } from '../../../src/config/load.ts';
import { overdueBounds } from '../../../src/domain/exceptions/overdue.ts';
import { businessDays } from '../../../src/domain/reconciling/business-day.ts';
import { followIfBehind } from '../../../src/reconcile/exceptions/follow.ts';
import { loadRules } from '../../../src/reconcile/rules/load.ts';
import type { Archive } from '../../../src/store/archive.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { withArchive } from '../../context/archive.ts';
import type { QueueDay } from '../../show/exception.ts';

/** Runs `work` on the queue as the last whole run left it; a run whose process died is followed to its end first. */
export async function withQueue<Result>(
  argv: { config?: string | undefined },
  work: (archive: Archive, config: Config) => Promise<Result>,
): Promise<Result> {
  return withArchive(argv, async (archive, config) => {
    await followIfBehind(archive, () => storeOf(config).operations());
    return work(archive, config);
  });
}

/** Today, and what is overdue today. Holidays are those of the rules. */
export async function queueDay(
  { timeZone: zone, reconcile, exceptions }: Config,
  nowMs = systemClock.nowMs(),
): Promise<QueueDay> {
  const { cutOffMinutes, rules } = reconcile;
  const today = businessDays({ zone, cutOffMinutes }).dayOf(nowMs);
  const { holidays } = await loadRules(rules ?? undefined);
  return { today, bounds: overdueBounds(today, exceptions.overdue, holidays) };
}
