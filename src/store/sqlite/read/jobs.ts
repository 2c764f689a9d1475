import type { HeldJob, JobCause, JobOutcome, JobState, LastRun } from '../../jobs.ts';
import type { Database } from '../engine/database.ts';

export interface JobRow {
  name: string;
  schedule: string | null;
  zone: string | null;
  planned_from: number | null;
  next_run_at: number | null;
  run: number;
  leased_until: number | null;
}

interface RunRow {
  run: number;
  job: string;
  cause: JobCause;
  holder: string;
  planned_at: number | null;
  started_at: number;
  finished_at: number | null;
  outcome: JobOutcome | null;
  detail: string | null;
}

/** No lease is this long: one that ends later was given by a wrong clock, and is over. */
const LONGEST_JOB_LEASE_MS = 24 * 3_600_000;

/** Whether a run may still hold the job. */
export function isHeld({ leased_until: untilMs }: JobRow, nowMs: number): boolean {
  return untilMs !== null && untilMs > nowMs && untilMs - nowMs <= LONGEST_JOB_LEASE_MS;
}

/** Reads the state of the jobs. */
export function jobStates(database: Database) {
  const jobs = database.prepare<[], JobRow>('SELECT * FROM jobs ORDER BY name');
  const run = database.prepare<[number], RunRow>('SELECT * FROM job_runs WHERE run = ?');
  const lastEnded = database.prepare<[string], RunRow>(
    'SELECT * FROM job_runs WHERE job = ? AND outcome IS NOT NULL ORDER BY run DESC LIMIT 1',
  );
  const doneAt = database
    .prepare<[string], number | null>(
      "SELECT max(finished_at) FROM job_runs WHERE job = ? AND outcome IN ('done', 'found')",
    )
    .pluck();

  function stateOf(row: JobRow, nowMs: number): JobState {
    const current = row.leased_until === null ? undefined : run.get(row.run);
    const held = isHeld(row, nowMs);
    const ended = current !== undefined && !held ? { ...current, outcome: 'lost' as const } : lastEnded.get(row.name);
    return {
      job: row.name,
      schedule: row.schedule,
      zone: row.zone,
      nextRunAtMs: row.next_run_at,
      held: current !== undefined && held ? heldJob(row, current) : null,
      last: ended === undefined ? null : lastRun(ended),
      doneAtMs: doneAt.get(row.name) ?? null,
    };
  }

  return {
    states: (nowMs: number): JobState[] => jobs.all().map((row) => stateOf(row, nowMs)),

    /** The run of a job that is held. */
    held: (row: JobRow): HeldJob => heldJob(row, run.get(row.run) as RunRow),
  };
}

function heldJob({ leased_until: untilMs }: JobRow, { run, cause, holder, started_at: sinceMs }: RunRow): HeldJob {
  return { run, cause, holder, sinceMs, untilMs: untilMs ?? sinceMs };
}

function lastRun(row: RunRow): LastRun {
  return {
    run: row.run,
    cause: row.cause,
    holder: row.holder,
    plannedAtMs: row.planned_at,
    startedAtMs: row.started_at,
    finishedAtMs: row.finished_at,
    outcome: row.outcome ?? 'lost',
    detail: row.detail,
  };
}
