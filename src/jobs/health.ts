import { channelHealth, STANDARD_SWEEP_SHARE, STANDARD_WINDOW_MS } from '../confirm/health.ts';
import { findOverdue } from '../confirm/overdue.ts';
import { openArchive } from '../store/open.ts';
import type { Job } from './job.ts';

/**
 * Looks whether webhooks still tell everything, and in time: `tallyhook health` of the last week. And whether what is
 * tracked has come by its date: where no service is asked, nobody else looks.
 */
export const lookAtHealth: Job = async ({ config: { database }, operations, clock }) => {
  const overdue = await findOverdue(operations.tracking, clock);
  const nowMs = clock.nowMs();
  const rules = { nowMs, sinceMs: nowMs - STANDARD_WINDOW_MS, sweepShare: STANDARD_SWEEP_SHARE };
  const archive = openArchive(database);
  const channels = await channelHealth(archive, rules).finally(() => archive.close());
  const ill = channels.filter(({ problems }) => problems.length > 0);
  const told = ill.map(({ environment, kind, problems }) => `${environment} ${kind}s: ${problems.join(', ')}`);
  if (ill.length === 0) told.push(`${channels.length} channel${channels.length === 1 ? '' : 's'}, no problem`);
  if (overdue > 0) told.push(`${overdue} tracked and never heard of by their date`);
  return {
    outcome: ill.length + overdue === 0 ? 'done' : 'found',
    detail: told.join('; '),
    left: ill.length,
  };
};
