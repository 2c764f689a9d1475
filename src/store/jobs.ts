import type { JobOutcome } from '../domain/jobs/job.ts';

/*
 * The part of the port for the schedule: when each job runs, and which process holds it. A job is held by the counter of its
 * run (fencing): a run whose job another run has taken over writes nothing. Times are milliseconds since 1970, by the
 * store's own clock.
 */

/** What started a run: the schedule, or a person's command. */
export const JOB_CAUSES = ['schedule', 'command'] as const;
export type JobCause = (typeof JOB_CAUSES)[number];

/** One job of the configuration. */
export interface PlannedJob {
  readonly job: string;
  /** A cron expression. */
  readonly schedule: string;
  /** IANA time zone of the expression. */
  readonly zone: string;
}

/** The process that takes a lease, and for how long. */
export interface LeaseTerms {
  /** Names the process, for a person. */
  readonly holder: string;
  readonly leaseMs: number;
}

export interface JobRun {
  /** Counter; every later write of this run must carry it. */
  readonly run: number;
  readonly job: string;
  readonly cause: JobCause;
  /** The earliest planned time that has not run: one run covers all missed ones. Null for a command. */
  readonly plannedAtMs: number | null;
  readonly leasedUntilMs: number;
}

/** A run under way. */
export interface HeldJob {
  readonly run: number;
  readonly cause: JobCause;
  readonly holder: string;
  readonly sinceMs: number;
  readonly untilMs: number;
}

export interface EndedRun {
  readonly run: number;
  readonly job: string;
  readonly outcome: Exclude<JobOutcome, 'lost'>;
  /** Its result in a line, for a person. */
  readonly detail: string;
}

export interface LastRun {
  readonly run: number;
  readonly cause: JobCause;
  readonly holder: string;
  readonly plannedAtMs: number | null;
  readonly startedAtMs: number;
  readonly finishedAtMs: number | null;
  readonly outcome: JobOutcome;
  readonly detail: string | null;
}

export interface JobState {
  readonly job: string;
  /** Null: not scheduled. */
  readonly schedule: string | null;
  readonly zone: string | null;
  readonly nextRunAtMs: number | null;
  /** Null when no run holds the job, and when the lease of its run is over. */
  readonly held: HeldJob | null;
  /** Since when no run holds it: the end of the latest run, or of its lease. Null: no run was. */
  readonly freeSinceMs: number | null;
  /** The latest ended run; one whose lease is over, or whose process is gone, counts as `lost`. */
  readonly last: LastRun | null;
  /** When a run last ended as `done` or `found`. */
  readonly doneAtMs: number | null;
}

export interface Jobs {
  /** Takes over the configuration: new and changed jobs are planned from now, jobs that it does not name are unplanned. */
  readonly plan: (plan: { readonly jobs: readonly PlannedJob[] }) => Promise<void>;
  /** Leases those of `jobs` that are due and not held; those of `early` count as due now, when they are scheduled at all. */
  readonly leaseDue: (
    order: LeaseTerms & { readonly jobs: readonly string[]; readonly early?: readonly string[] },
  ) => Promise<JobRun[]>;
  /** Leases one job now, due or not, and leaves its plan; returns the holder when it is held. */
  readonly begin: (
    order: LeaseTerms & { readonly job: string },
  ) => Promise<{ readonly run: JobRun } | { readonly held: HeldJob }>;
  /** False when another run has taken the job over, or this one was marked as lost: it must end. */
  readonly renew: (renewal: {
    readonly run: number;
    readonly job: string;
    readonly leaseMs: number;
  }) => Promise<boolean>;
  /**
   * False when another run has taken the job over, or this one was marked as lost: nothing is written. A `stopped` job is
   * due again.
   */
  readonly finish: (ended: EndedRun) => Promise<boolean>;
  readonly states: () => Promise<JobState[]>;
}

export interface JobArchive {
  /** The state of every job now. */
  readonly jobs: () => Promise<JobState[]>;
}

/** A job that is due and not held for longer than this is overdue; a running schedule reads the plan once a minute. */
const OVERDUE_MS = 5 * 60_000;

/** Milliseconds since the job should have started; null while it is not overdue. */
export function overdueMs({ nextRunAtMs, held, freeSinceMs }: JobState, nowMs: number): number | null {
  if (nextRunAtMs === null || held !== null) return null;
  // Times that passed during a run are its own: it could not begin again.
  const lateMs = nowMs - Math.max(nextRunAtMs, freeSinceMs ?? 0);
  return lateMs > OVERDUE_MS ? lateMs : null;
}

/** Whether the latest ended run failed, or was lost and no other run repairs that now. */
export function hasFailed({ last, held }: JobState): boolean {
  return last?.outcome === 'failed' || (last?.outcome === 'lost' && held === null);
}
