/** The scheduled jobs, as the configuration and the command line name them. */
export const JOB_NAMES = ['sweep', 'backfill', 'health', 'alerts', 'backup', 'prune', 'reconcile', 'report'] as const;
export type JobName = (typeof JOB_NAMES)[number];

/** Whether a job sends requests to the service, and so needs an address and keys. */
export const CALLS_THE_SERVICE = {
  sweep: true,
  backfill: true,
  health: false,
  alerts: false,
  backup: false,
  prune: false,
  reconcile: false,
  report: false,
} as const satisfies Record<JobName, boolean>;

/** Jobs with files beside the database: of several machines, those with `cluster.files` run them. */
export const NEEDS_FILES: ReadonlySet<JobName> = new Set(['backup', 'reconcile', 'report']);

/** How a run ended. */
export const JOB_OUTCOMES = [
  'done',
  'found', // done, with something to look into
  'failed',
  'stopped', // ended early because its process was stopping; the job runs again
  'lost', // its process ended without finishing it; the job runs again
] as const;
export type JobOutcome = (typeof JOB_OUTCOMES)[number];
