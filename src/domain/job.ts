/** The scheduled jobs, as the configuration and the command line name them. */
export const JOB_NAMES = ['sweep', 'backfill', 'health', 'backup', 'prune'] as const;
export type JobName = (typeof JOB_NAMES)[number];

/** Whether a job sends requests to the service, and so needs an address and keys. */
export const CALLS_THE_SERVICE = {
  sweep: true,
  backfill: true,
  health: false,
  backup: false,
  prune: false,
} as const satisfies Record<JobName, boolean>;
