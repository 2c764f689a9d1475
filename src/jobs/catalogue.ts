import type { JobName } from '../domain/job.ts';
import type { Job, JobParts } from './job.ts';
import type { JobResult } from './schedule.ts';

/** What each job does, loaded when it first runs: whoever only looks at health needs no client of the service. */
const CATALOGUE: Readonly<Record<JobName, () => Promise<Job>>> = {
  sweep: async () => (await import('./sweep.ts')).sweepBySchedule,
  backfill: async () => (await import('./backfill.ts')).backfillBySchedule,
  health: async () => (await import('./health.ts')).lookAtHealth,
  backup: async () => (await import('./backup.ts')).backUpBySchedule,
  prune: async () => (await import('./prune.ts')).pruneBySchedule,
};

/** Rejects when the job fails, and when its signal ends it. */
export async function runJob(name: JobName, parts: JobParts): Promise<JobResult> {
  const job = await CATALOGUE[name]();
  return job(parts);
}
