import { ASKS_THE_SERVICE, JOB_NAMES, type JobName } from '../domain/job.ts';
import type { PlannedJob } from '../store/jobs.ts';
import type { JobsConfig } from './job.ts';

/** What the configuration schedules and this installation can run. */
export function plannedJobs({
  schedule,
  baseUrl,
}: Pick<JobsConfig, 'schedule' | 'baseUrl'>): (PlannedJob & { readonly job: JobName })[] {
  return JOB_NAMES.flatMap((job) => {
    const expression = schedule[job];
    if (expression === null || (ASKS_THE_SERVICE[job] && baseUrl === null)) return [];
    return [{ job, schedule: expression, zone: schedule.timeZone }];
  });
}

/** The same settings with every job at rest, for a process that plays through something of its own. */
export function atRest(schedule: JobsConfig['schedule']): JobsConfig['schedule'] {
  return { ...schedule, ...(Object.fromEntries(JOB_NAMES.map((job) => [job, null])) as Record<JobName, null>) };
}
