/*
 * The part of the port that the schedule needs: what runs when, and who runs it. A job is held by the counter of its run
 * (fencing): whoever comes back after another took over writes nothing. Times are milliseconds since 1970.
 */

/** Who started a run of a job. */
export const JOB_CAUSES = ['schedule', 'command'] as const;
export type JobCause = (typeof JOB_CAUSES)[number];

/** How it ended. */
export const JOB_OUTCOMES = [
  'done',
  'found', // done, and there is something to look at
  'failed',
  'stopped', // given back because its process was to stop; it runs again
  'lost', // its process went away; it runs again
] as const;
export type JobOutcome = (typeof JOB_OUTCOMES)[number];

/** What the configuration says of one job. */
export interface PlannedJob {
  readonly job: string;
  /** A cron expression. */
  readonly schedule: string;
  /** IANA zone that the expression is read in. */
  readonly zone: string;
}

/** Who wants to run something, and for how long nobody else may unless the lease is renewed. */
export interface LeaseTerms {
  /** For a person: which process. */
  readonly holder: string;
  readonly leaseMs: number;
  readonly nowMs: number;
}

export interface JobRun {
  /** The counter that every later write of this run must carry. */
  readonly run: number;
  readonly job: string;
  readonly cause: JobCause;
  /** The earliest time it was planned for and had not run: one run makes good for all that were missed. */
  readonly plannedAtMs: number | null;
  readonly leasedUntilMs: number;
}

/** A run that is under way. */
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
  readonly nowMs: number;
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
  /** Null when nobody runs it, and when the lease of whoever did is over. */
  readonly held: HeldJob | null;
  /** The latest run that ended, one whose lease is over as `lost`. */
  readonly last: LastRun | null;
  /** When it last ended well. */
  readonly doneAtMs: number | null;
}

export interface Jobs {
  /** Takes over what the configuration says: what is new or changed is planned from now, what it does not name no more. */
  plan(plan: { readonly jobs: readonly PlannedJob[]; readonly nowMs: number }): Promise<void>;
  /** Takes those of `jobs` that are due and held by nobody. */
  leaseDue(claim: LeaseTerms & { readonly jobs: readonly string[] }): Promise<JobRun[]>;
  /** Takes one job at once, whenever it is due; its plan stays. Or says who holds it. */
  begin(begin: LeaseTerms & { readonly job: string }): Promise<{ readonly run: JobRun } | { readonly held: HeldJob }>;
  /** False: somebody else has taken over, and this run must not go on. */
  renew(renewal: {
    readonly run: number;
    readonly job: string;
    readonly leaseMs: number;
    readonly nowMs: number;
  }): Promise<boolean>;
  /** False: somebody else has taken over, and nothing was written. What was `stopped` is due again. */
  finish(ended: EndedRun): Promise<boolean>;
  states(at: { readonly nowMs: number }): Promise<JobState[]>;
}

export interface JobArchive {
  /** How every job of the schedule stands at `nowMs`. */
  jobs(nowMs: number): Promise<JobState[]>;
}

/** A job that is due and held by nobody for so long is not looked after: whoever does looks once a minute. */
const OVERDUE_MS = 5 * 60_000;

/** For how long the job should have been running; null when all is well. */
export function overdueMs({ nextRunAtMs, held }: JobState, nowMs: number): number | null {
  if (nextRunAtMs === null || held !== null) return null;
  const lateMs = nowMs - nextRunAtMs;
  return lateMs > OVERDUE_MS ? lateMs : null;
}

/** Whether its latest run that ended is one to look into. */
export function hasFailed({ last }: JobState): boolean {
  return last?.outcome === 'failed' || last?.outcome === 'lost';
}
