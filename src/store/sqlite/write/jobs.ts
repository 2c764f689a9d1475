import type { EndedRun, HeldJob, JobCause, JobRun, JobState, LeaseTerms, PlannedJob } from '../../jobs.ts';
import { type Database, writing } from '../engine/database.ts';
import { isHeld, type JobRow, jobStates } from '../read/jobs.ts';

/** The first time of a schedule after `afterMs`. */
export type NextRun = (schedule: string, zone: string, afterMs: number) => number;

/** Runs kept per job. */
const KEPT_RUNS = 1_000;

interface Plan {
  readonly job: string;
  readonly plannedFromMs: number;
  readonly nextRunAtMs: number;
}

type NewRun = Pick<JobRun, 'job' | 'cause' | 'plannedAtMs'>;

/** Writes the plan and the leases of jobs; on disk when a method returns. Each write is one transaction. */
export function jobWrites(database: Database, nextRun: NextRun) {
  const reading = jobStates(database);
  const all = database.prepare<[], JobRow>('SELECT * FROM jobs ORDER BY next_run_at');
  const one = database.prepare<[string], JobRow>('SELECT * FROM jobs WHERE name = ?');
  const know = database.prepare<[string]>('INSERT OR IGNORE INTO jobs (name) VALUES (?)');
  const schedule = database.prepare<PlannedJob>('UPDATE jobs SET schedule = @schedule, zone = @zone WHERE name = @job');
  const plan = database.prepare<Plan>(
    'UPDATE jobs SET planned_from = @plannedFromMs, next_run_at = @nextRunAtMs WHERE name = @job',
  );
  const unplan = database.prepare<[string]>(
    'UPDATE jobs SET schedule = NULL, zone = NULL, planned_from = NULL, next_run_at = NULL WHERE name = ?',
  );
  const nextCounter = database
    .prepare<[], number>("UPDATE counters SET value = value + 1 WHERE name = 'job' RETURNING value")
    .pluck();
  const lease = database.prepare<{ run: number; job: string; untilMs: number }>(
    'UPDATE jobs SET run = @run, leased_until = @untilMs WHERE name = @job',
  );
  const start = database.prepare(`
    INSERT INTO job_runs (run, job, cause, holder, planned_at, started_at)
    VALUES (@run, @job, @cause, @holder, @plannedAtMs, @nowMs)`);
  const forget = database.prepare<{ job: string }>(`
    DELETE FROM job_runs WHERE job = @job AND run <=
      (SELECT run FROM job_runs WHERE job = @job ORDER BY run DESC LIMIT 1 OFFSET ${KEPT_RUNS})`);
  // A run whose lease is over may still be renewed and finished while no other run has taken the job over.
  const renew = database.prepare<{ run: number; job: string; untilMs: number }>(
    'UPDATE jobs SET leased_until = @untilMs WHERE name = @job AND run = @run AND leased_until IS NOT NULL',
  );
  const release = database.prepare<{ run: number; job: string }>(
    'UPDATE jobs SET leased_until = NULL WHERE name = @job AND run = @run AND leased_until IS NOT NULL',
  );
  const end = database.prepare<EndedRun, { cause: JobCause; planned_at: number | null }>(`
    UPDATE job_runs SET finished_at = @nowMs, outcome = @outcome, detail = @detail WHERE run = @run
    RETURNING cause, planned_at`);
  const lose = database.prepare<[number], { cause: JobCause; planned_at: number | null }>(
    "UPDATE job_runs SET outcome = 'lost' WHERE run = ? AND outcome IS NULL RETURNING cause, planned_at",
  );

  function planFrom(job: string, { schedule, zone }: Pick<JobRow, 'schedule' | 'zone'>, nowMs: number): void {
    if (schedule === null || zone === null) return;
    plan.run({ job, plannedFromMs: nowMs, nextRunAtMs: nextRun(schedule, zone, nowMs) });
  }

  /** Repeats a run that ended early: the job is due at the time that the run was planned for. */
  function dueAgain(job: string, ended: { cause: JobCause; planned_at: number | null } | undefined): void {
    const plannedAtMs = ended?.planned_at ?? null;
    if (plannedAtMs === null || one.get(job)?.schedule === null) return;
    plan.run({ job, plannedFromMs: plannedAtMs, nextRunAtMs: plannedAtMs });
  }

  /** Marks a run whose lease is over as lost. */
  function loseIfOver(row: JobRow, nowMs: number): void {
    if (row.leased_until === null || isHeld(row, nowMs)) return;
    release.run({ run: row.run, job: row.name });
    dueAgain(row.name, lose.get(row.run));
  }

  /**
   * Plans again when the clock is a whole interval or more before the time of planning: it was ahead then, and the job would
   * wait until it has caught up. A clock set back by 1 h affects a job of every minute, never a daily one.
   */
  function correctPlan(row: JobRow, nowMs: number): void {
    const { planned_from: fromMs, next_run_at: nextMs } = row;
    if (fromMs !== null && nextMs !== null && nowMs < fromMs - (nextMs - fromMs)) planFrom(row.name, row, nowMs);
  }

  function startRun({ job, cause, plannedAtMs }: NewRun, { holder, leaseMs, nowMs }: LeaseTerms): JobRun {
    const run = nextCounter.get() as number;
    const leasedUntilMs = nowMs + leaseMs;
    lease.run({ run, job, untilMs: leasedUntilMs });
    start.run({ run, job, cause, holder, plannedAtMs, nowMs });
    forget.run({ job });
    return { run, job, cause, plannedAtMs, leasedUntilMs };
  }

  function leaseDueJob({ name }: JobRow, terms: LeaseTerms): JobRun[] {
    const { nowMs } = terms;
    loseIfOver(one.get(name) as JobRow, nowMs);
    correctPlan(one.get(name) as JobRow, nowMs);
    const row = one.get(name) as JobRow;
    if (isHeld(row, nowMs) || row.next_run_at === null || row.next_run_at > nowMs) return [];
    const run = startRun({ job: name, cause: 'schedule', plannedAtMs: row.next_run_at }, terms);
    planFrom(name, row, nowMs);
    return [run];
  }

  return {
    plan: writing(database, ({ jobs, nowMs }: { jobs: readonly PlannedJob[]; nowMs: number }): void => {
      for (const planned of jobs) {
        know.run(planned.job);
        const known = one.get(planned.job);
        if (known?.schedule === planned.schedule && known.zone === planned.zone) continue;
        schedule.run(planned);
        planFrom(planned.job, planned, nowMs);
      }
      const named = new Set(jobs.map(({ job }) => job));
      for (const { name, schedule } of all.all()) if (schedule !== null && !named.has(name)) unplan.run(name);
    }),

    leaseDue: writing(database, ({ jobs, ...terms }: LeaseTerms & { jobs: readonly string[] }): JobRun[] =>
      all
        .all()
        .filter(({ name }) => jobs.includes(name))
        .flatMap((row) => leaseDueJob(row, terms)),
    ),

    begin: writing(database, ({ job, ...terms }: LeaseTerms & { job: string }): { run: JobRun } | { held: HeldJob } => {
      know.run(job);
      loseIfOver(one.get(job) as JobRow, terms.nowMs);
      const row = one.get(job) as JobRow;
      if (isHeld(row, terms.nowMs)) return { held: reading.held(row) };
      return { run: startRun({ job, cause: 'command', plannedAtMs: null }, terms) };
    }),

    renew: writing(
      database,
      ({ run, job, leaseMs, nowMs }: { run: number; job: string; leaseMs: number; nowMs: number }): boolean =>
        renew.run({ run, job, untilMs: nowMs + leaseMs }).changes === 1,
    ),

    finish: writing(database, (ended: EndedRun): boolean => {
      if (release.run({ run: ended.run, job: ended.job }).changes === 0) return false;
      const run = end.get(ended);
      if (ended.outcome === 'stopped') dueAgain(ended.job, run);
      return true;
    }),

    states: ({ nowMs }: { nowMs: number }): JobState[] => reading.states(nowMs),
  };
}
