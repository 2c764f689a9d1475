import type { JobName } from '../domain/job.ts';
import { backfillBySchedule } from './backfill.ts';
import { backUpBySchedule } from './backup.ts';
import { lookAtHealth } from './health.ts';
import type { Job } from './job.ts';
import { pruneBySchedule } from './prune.ts';
import { sweepBySchedule } from './sweep.ts';

/** What each job does. */
export const CATALOGUE = {
  sweep: sweepBySchedule,
  backfill: backfillBySchedule,
  health: lookAtHealth,
  backup: backUpBySchedule,
  prune: pruneBySchedule,
} as const satisfies Record<JobName, Job>;
