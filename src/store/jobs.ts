/** Who started a run of a job. */
export const JOB_CAUSES = ['schedule', 'command'] as const;
export type JobCause = (typeof JOB_CAUSES)[number];

/** How it ended: `found` is done with something to look at, `lost` is a process that went away. */
export const JOB_OUTCOMES = ['done', 'found', 'failed', 'lost'] as const;
export type JobOutcome = (typeof JOB_OUTCOMES)[number];
