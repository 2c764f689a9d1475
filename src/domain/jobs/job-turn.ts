import { DAY_MS } from '../../time/clock.ts';
import type { JobOutcome } from './job.ts';

/** What the store keeps of a job. Each function below returns the job as it is afterwards, or the same object unchanged. */
export interface JobFacts {
  readonly name: string;
  /** Null: not scheduled. */
  readonly schedule: string | null;
  readonly zone: string | null;
  /** When `nextRunAtMs` was computed. */
  readonly plannedFromMs: number | null;
  readonly nextRunAtMs: number | null;
  /** The counter of the run that holds, or last held, the job. */
  readonly run: number;
  readonly leasedUntilMs: number | null;
  /** The time for which that run was planned; null for a command, and once it has ended. */
  readonly runPlannedAtMs: number | null;
}

/** The first time of a schedule after `afterMs`. */
export type NextRun = (schedule: string, zone: string, afterMs: number) => number;

/** No lease is this long: one that ends later was given by a wrong clock, and is over. */
const LONGEST_JOB_LEASE_MS = DAY_MS;

/** Whether a run may still hold the job. */
export function isHeld({ leasedUntilMs }: Pick<JobFacts, 'leasedUntilMs'>, nowMs: number): boolean {
  return leasedUntilMs !== null && leasedUntilMs > nowMs && leasedUntilMs - nowMs <= LONGEST_JOB_LEASE_MS;
}

/** Plans a job from now on when its schedule or zone is another; null unplans it. */
export function scheduled(
  job: JobFacts,
  plan: { readonly schedule: string; readonly zone: string } | null,
  nowMs: number,
  nextRun: NextRun,
): JobFacts {
  const { schedule, zone } = plan ?? { schedule: null, zone: null };
  if (job.schedule === schedule && job.zone === zone) return job;
  return plannedFrom({ ...job, schedule, zone, plannedFromMs: null, nextRunAtMs: null }, nowMs, nextRun);
}

/** Frees a job whose lease is over: its run is lost. */
export function withoutLostRun(job: JobFacts, nowMs: number): JobFacts {
  return job.leasedUntilMs === null || isHeld(job, nowMs) ? job : freed(job, 'lost');
}

/**
 * Returns the time for which a free job is due, null when it is not, and the job with its next run planned. A scheduled job that is
 * wanted `early` is due now, and its plan stays.
 */
export function dueJob(
  before: JobFacts,
  nowMs: number,
  nextRun: NextRun,
  early = false,
): { readonly job: JobFacts; readonly plannedAtMs: number | null } {
  const job = isPlannedByWrongClock(before, nowMs) ? plannedFrom(before, nowMs, nextRun) : before;
  const { nextRunAtMs } = job;
  if (isHeld(job, nowMs) || nextRunAtMs === null) return { job, plannedAtMs: null };
  if (nextRunAtMs > nowMs) return { job, plannedAtMs: early ? nowMs : null };
  return { job: plannedFrom(job, nowMs, nextRun), plannedAtMs: nextRunAtMs };
}

/**
 * Renews the lease of a run, or ends the run with an outcome; null when it does not count, because another run has taken the
 * job over. A run whose lease is over still counts until another run has taken over.
 */
export function afterRun(
  job: JobFacts | undefined,
  run: number,
  result: { readonly leasedUntilMs: number } | { readonly outcome: JobOutcome },
): JobFacts | null {
  if (job?.run !== run || job.leasedUntilMs === null) return null;
  return 'outcome' in result ? freed(job, result.outcome) : { ...job, ...result };
}

/** A run that ended early is repeated: the job is due at the time that it was planned for. */
function freed(job: JobFacts, outcome: JobOutcome): JobFacts {
  const free = { ...job, leasedUntilMs: null, runPlannedAtMs: null };
  const againAtMs = outcome === 'stopped' || outcome === 'lost' ? job.runPlannedAtMs : null;
  if (againAtMs === null || job.schedule === null) return free;
  return { ...free, plannedFromMs: againAtMs, nextRunAtMs: againAtMs };
}

function plannedFrom(job: JobFacts, nowMs: number, nextRun: NextRun): JobFacts {
  if (job.schedule === null || job.zone === null) return job;
  return { ...job, plannedFromMs: nowMs, nextRunAtMs: nextRun(job.schedule, job.zone, nowMs) };
}

/**
 * Whether the clock is a whole interval or more before the time of planning: it was ahead then, and the job would wait until
 * it has caught up. A clock set back by 1 h affects a job of every minute, never a daily one.
 */
function isPlannedByWrongClock({ plannedFromMs, nextRunAtMs }: JobFacts, nowMs: number): boolean {
  return plannedFromMs !== null && nextRunAtMs !== null && nowMs < plannedFromMs - (nextRunAtMs - plannedFromMs);
}
