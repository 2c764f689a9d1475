import { STANDARD_SWEEP_SHARE, STANDARD_WINDOW_MS } from '../confirm/health.ts';
import { aside } from './aside.ts';
import type { Job } from './job.ts';

/** Looks whether webhooks still tell everything, and in time: `tallyhook health` of the last week. */
export const lookAtHealth: Job = async ({ config: { database: path }, clock, signal }) => {
  const nowMs = clock.nowMs();
  const rules = { nowMs, sinceMs: nowMs - STANDARD_WINDOW_MS, sweepShare: STANDARD_SWEEP_SHARE };
  const channels = await aside({ name: 'health', order: { path, rules } }, signal);
  const ill = channels.filter(({ problems }) => problems.length > 0);
  const told = ill.map(({ environment, kind, problems }) => `${environment} ${kind}s: ${problems.join(', ')}`);
  return {
    outcome: ill.length === 0 ? 'done' : 'found',
    detail:
      ill.length === 0 ? `${channels.length} channel${channels.length === 1 ? '' : 's'}, no problem` : told.join('; '),
    left: ill.length,
  };
};
