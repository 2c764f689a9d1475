import { MOST_REVIEWED, type Tracking } from '../store/tracking.ts';

/**
 * Reviews every expectation whose date has come, because absence has no event of its own, and returns how many of their
 * records are still without any observation: each is a finding now. Sends nothing to the service.
 */
export async function findOverdue(tracking: Tracking): Promise<number> {
  let overdue = 0;
  for (;;) {
    const reviewed = await tracking.review();
    overdue += reviewed.overdue;
    if (reviewed.reviewed < MOST_REVIEWED) return overdue;
  }
}
