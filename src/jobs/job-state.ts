import type { JobState } from '../store/jobs.ts';

/** A job that is due and held by nobody for so long is not looked after: whoever does looks once a minute. */
const OVERDUE_MS = 5 * 60_000;

/** For how long the job should have been running; null when all is well. */
export function overdueMs({ nextRunAtMs, held }: JobState, nowMs: number): number | null {
  if (nextRunAtMs === null || held !== null) return null;
  const lateMs = nowMs - nextRunAtMs;
  return lateMs > OVERDUE_MS ? lateMs : null;
}

/** Whether its latest run that ended is one to look into. */
export function hasFailed({ last }: JobState): boolean {
  return last?.outcome === 'failed' || last?.outcome === 'lost';
}
