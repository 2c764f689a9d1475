import { MOST_REVIEWED, type Tracking } from '../store/tracking.ts';
import type { Clock } from '../time/clock.ts';

/**
 * Looks at every expectation whose date has come, because absence has no event of its own. Returns how many of them nobody
 * has said anything about: each is a finding from now on. It asks nobody.
 */
export async function findOverdue(tracking: Tracking, clock: Clock): Promise<number> {
  let overdue = 0;
  for (;;) {
    const looked = await tracking.review({ nowMs: clock.nowMs() });
    overdue += looked.overdue;
    if (looked.reviewed < MOST_REVIEWED) return overdue;
  }
}
