/** What runs by a schedule, in the words of the configuration and the command line. */
export const JOB_NAMES = ['sweep', 'backfill', 'health', 'backup', 'prune'] as const;
export type JobName = (typeof JOB_NAMES)[number];

/** Whether a job asks the service, so that it cannot run without an address and keys. */
export const CALLS_THE_SERVICE = {
  sweep: true,
  backfill: true,
  health: false,
  backup: false,
  prune: false,
} as const satisfies Record<JobName, boolean>;
