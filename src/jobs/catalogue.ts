import type { JobName } from '../domain/job.ts';
import { backUpBySchedule } from './backup.ts';
import type { Job } from './job.ts';
import { sweepBySchedule } from './sweep.ts';

/** What each job does. */
export const CATALOGUE = { sweep: sweepBySchedule, backup: backUpBySchedule } as const satisfies Record<JobName, Job>;
