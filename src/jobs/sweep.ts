import { checkParts } from '../confirm/parts.ts';
import { sweepOrderOf } from '../confirm/settings.ts';
import { type SweepFollower, sweep } from '../confirm/sweep.ts';
import type { SweepResult, SweepStop } from '../confirm/sweep-result.ts';
import type { Job } from './job.ts';
import type { JobResult } from './schedule.ts';

/** Checks every due record; the same as `tallyhook sweep`. */
export const sweepBySchedule: Job = async ({ config, operations, onProgress, onCounts, breaker, ...options }) => {
  const order = sweepOrderOf(config);
  const parts = await checkParts(config, operations, options);
  const { filter } = order;
  const total = onProgress && (await operations.checks.countDue({ filter }));
  const follow: SweepFollower = (checked, _restMs, { failed, ...counts }) => {
    onProgress?.(checked, total ?? null);
    onCounts?.({ ...counts, ...failed });
  };
  return resultOf(await sweep(order, parts, follow, breaker));
};

const CUT_SHORT: Readonly<Record<SweepStop, Pick<JobResult, 'outcome' | 'detail'>>> = {
  interrupted: { outcome: 'stopped', detail: 'cut short' },
  service_unavailable: { outcome: 'failed', detail: 'the service does not answer, or requires a pause' },
  key_refused: { outcome: 'failed', detail: 'the service refused the key; see tallyhook doctor' },
};

function resultOf({ failed, stillDue, withoutKey, stopped, tookMs: _, ...counts }: SweepResult): JobResult {
  const notConfirmed = Object.entries(failed);
  const summary = [
    `checked ${counts.checked}, ${counts.confirmed} confirmed`,
    ...(['changed', 'settled', 'repaired', 'disagreed', 'overdue', 'stuck', 'late'] as const)
      .filter((name) => counts[name] > 0)
      .map((name) => `${counts[name]} ${name}`),
    ...notConfirmed.map(([outcome, count]) => `${count} ${outcome}`),
    ...(stillDue > 0 ? [`${stillDue} still due`] : []),
    ...(withoutKey > 0 ? [`${withoutKey} due without a key of their environment`] : []),
  ].join(', ');
  const numbers = { counts: { ...counts, ...failed }, left: stillDue };
  if (stopped !== null) {
    const { outcome, detail } = CUT_SHORT[stopped];
    return { outcome, detail: `${detail}: ${summary}`, ...numbers };
  }
  const isFine = counts.disagreed + counts.overdue + counts.stuck + withoutKey === 0 && notConfirmed.length === 0;
  return { outcome: isFine ? 'done' : 'found', detail: summary, ...numbers };
}
