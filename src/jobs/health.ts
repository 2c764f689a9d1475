import { channelHealth, STANDARD_SWEEP_SHARE, STANDARD_WINDOW_MS } from '../confirm/health.ts';
import { findOverdue } from '../confirm/overdue.ts';
import { storeOf } from '../confirm/store.ts';
import type { Job } from './job.ts';

/**
 * Checks whether all webhooks arrive, and in time: `tallyhook health` of the last week. Also reviews tracked records past
 * their date, which no other job does where no sweep runs.
 */
export const healthBySchedule: Job = async ({ config, operations, clock }) => {
  const overdue = await findOverdue(operations.tracking);
  const nowMs = clock.nowMs();
  const rules = { nowMs, sinceMs: nowMs - STANDARD_WINDOW_MS, sweepShare: STANDARD_SWEEP_SHARE };
  const archive = await storeOf(config).archive();
  const channels = await channelHealth(archive, rules).finally(() => archive.close());
  const ill = channels.filter(({ problems }) => problems.length > 0);
  const parts = ill.map(({ environment, kind, problems }) => `${environment} ${kind}s: ${problems.join(', ')}`);
  if (ill.length === 0) parts.push(`${channels.length} channel${channels.length === 1 ? '' : 's'}, no problem`);
  if (overdue > 0) parts.push(`${overdue} tracked, past their date and never seen`);
  return {
    outcome: ill.length + overdue === 0 ? 'done' : 'found',
    detail: parts.join('; '),
    left: ill.length,
  };
};
