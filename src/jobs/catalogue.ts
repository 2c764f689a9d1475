import { CALLS_THE_SERVICE, JOB_NAMES, type JobName, NEEDS_FILES } from '../domain/jobs/job.ts';
import type { PlannedJob } from '../store/jobs.ts';
import { apart } from './apart.ts';
import type { Job, JobParts, JobsConfig } from './job.ts';
import type { JobResult } from './schedule.ts';

/** The jobs, each loaded when it first runs: only some need the client of the service. */
const CATALOGUE: Readonly<Record<JobName, () => Promise<Job>>> = {
  sweep: async () => (await import('./sweep.ts')).sweepBySchedule,
  backfill: async () => (await import('./backfill.ts')).backfillBySchedule,
  health: async () => (await import('./health.ts')).healthBySchedule,
  alerts: async () => (await import('./alerts.ts')).alertsBySchedule,
  backup: async () => (await import('./backup.ts')).backUpBySchedule,
  prune: async () => (await import('./prune.ts')).pruneBySchedule,
  reconcile: async () => (await import('./reconcile.ts')).reconcileBySchedule,
  report: async () => (await import('./report.ts')).reportBySchedule,
};

/** Runs a job. Rejects when it fails, and when its signal ends it. */
export async function runJob(name: JobName, parts: JobParts): Promise<JobResult> {
  const job = await CATALOGUE[name]();
  return job(parts);
}

/** Jobs that compute over all statements and records of their days. */
const COMPUTING: ReadonlySet<JobName> = new Set(['reconcile', 'report']);

/** Runs a job; those that compute for long in a process of their own, which a stop can end at any time. */
export function runStoppable(name: JobName, parts: JobParts): Promise<JobResult> {
  return COMPUTING.has(name) ? apart(name)(parts) : runJob(name, parts);
}

/** The jobs that the configuration schedules and this installation can run. */
export function plannedJobs({
  schedule,
  baseUrl,
}: Pick<JobsConfig, 'schedule' | 'baseUrl'>): (PlannedJob & { readonly job: JobName })[] {
  return JOB_NAMES.flatMap((job) => {
    const expression = schedule[job];
    if (expression === null || (CALLS_THE_SERVICE[job] && baseUrl === null)) return [];
    return [{ job, schedule: expression, zone: schedule.timeZone }];
  });
}

/** Whether this machine runs a job that is planned: of several, not all have the folders. */
export function runsHere(job: JobName, { cluster }: Pick<JobsConfig, 'cluster'>): boolean {
  return cluster.url === null || cluster.files || !NEEDS_FILES.has(job);
}

/** The same settings without any scheduled job. */
export function unscheduled(schedule: JobsConfig['schedule']): JobsConfig['schedule'] {
  return { ...schedule, ...(Object.fromEntries(JOB_NAMES.map((job) => [job, null])) as Record<JobName, null>) };
}
