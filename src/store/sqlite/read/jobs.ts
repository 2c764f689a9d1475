import type { JobOutcome } from '../../../domain/jobs/job.ts';
import { isHeld, type JobFacts } from '../../../domain/jobs/job-turn.ts';
import type { HeldJob, JobState, LastRun } from '../../jobs.ts';
import { isGone } from '../../this-machine.ts';
import type { Database } from '../engine/database.ts';

type RunRow = Omit<LastRun, 'outcome'> & {
  readonly outcome: JobOutcome | null;
  readonly machine: string | null;
  readonly pid: number | null;
};

const RUNS = `
  SELECT run, cause, holder, planned_at AS plannedAtMs, started_at AS startedAtMs, finished_at AS finishedAtMs, outcome, detail, machine, pid
  FROM job_runs`;

/** SELECT of jobs, as a decider needs them. */
export const JOB_FACTS = `
  SELECT name, schedule, zone, planned_from AS plannedFromMs, next_run_at AS nextRunAtMs, jobs.run,
         leased_until AS leasedUntilMs, planned_at AS runPlannedAtMs
  FROM jobs LEFT JOIN job_runs ON job_runs.run = jobs.run AND outcome IS NULL`;

/** Reads the state of the jobs. */
export function jobStates(database: Database) {
  const jobs = database.prepare<[], JobFacts>(`${JOB_FACTS} ORDER BY name`);
  const run = database.prepare<[number], RunRow>(`${RUNS} WHERE run = ?`);
  const lastEnded = database.prepare<[string], RunRow>(
    `${RUNS} WHERE job = ? AND outcome IS NOT NULL ORDER BY run DESC LIMIT 1`,
  );
  const doneAt = database
    .prepare<[string], number | null>(
      "SELECT max(finished_at) FROM job_runs WHERE job = ? AND outcome IN ('done', 'found')",
    )
    .pluck();

  function stateOf(job: JobFacts, nowMs: number): JobState {
    const current = job.leasedUntilMs === null ? undefined : run.get(job.run);
    const held = isHeld(job, nowMs) && !(current !== undefined && hasGone(current));
    const ended = current !== undefined && !held ? current : lastEnded.get(job.name);
    return {
      job: job.name,
      schedule: job.schedule,
      zone: job.zone,
      nextRunAtMs: job.nextRunAtMs,
      held: current !== undefined && held ? heldJob(job, current) : null,
      freeSinceMs: ended === undefined ? null : freeSince(ended, job, nowMs),
      last: ended === undefined ? null : lastRun(ended),
      doneAtMs: doneAt.get(job.name) ?? null,
    };
  }

  return {
    states: (nowMs: number): JobState[] => jobs.all().map((job) => stateOf(job, nowMs)),

    /** The run of a job that is held. */
    held: (job: JobFacts): HeldJob => heldJob(job, run.get(job.run) as RunRow),
  };
}

/** Whether the process of a run is certainly no more. */
function hasGone({ machine, pid }: Pick<RunRow, 'machine' | 'pid'>): boolean {
  return machine !== null && pid !== null && isGone(machine, pid);
}

function freeSince({ finishedAtMs, startedAtMs }: RunRow, { leasedUntilMs }: JobFacts, nowMs: number): number {
  return finishedAtMs ?? (leasedUntilMs === null ? startedAtMs : Math.min(leasedUntilMs, nowMs));
}

function lastRun({ machine: _, pid: __, ...ended }: RunRow): LastRun {
  return { ...ended, outcome: ended.outcome ?? 'lost' };
}

function heldJob({ leasedUntilMs: untilMs }: JobFacts, { run, cause, holder, startedAtMs: sinceMs }: RunRow): HeldJob {
  return { run, cause, holder, sinceMs, untilMs: untilMs ?? sinceMs };
}
