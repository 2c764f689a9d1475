import {
  afterRun,
  dueJob,
  isHeld,
  type JobFacts,
  type NextRun,
  scheduled,
  withoutLostRun,
} from '../../../domain/jobs/job-turn.ts';
import type { Timed } from '../../../time/clock.ts';
import type { Drawn } from '../../caller.ts';
import type { EndedRun, HeldJob, JobRun, JobState, LeaseTerms, PlannedJob } from '../../jobs.ts';
import { type Database, writing } from '../engine/database.ts';
import { JOB_FACTS, jobStates } from '../read/jobs.ts';
import { counter } from './counters.ts';

/** Runs kept per job. */
const KEPT_RUNS = 1_000;

/** Writes the plan and the leases of jobs; on disk when a method returns. Each write is one transaction. */
export function jobWrites(database: Database, nextRun: NextRun) {
  const reading = jobStates(database);
  const all = database.prepare<[], JobFacts>(`${JOB_FACTS} ORDER BY next_run_at`);
  const one = database.prepare<[string], JobFacts>(`${JOB_FACTS} WHERE name = ?`);
  const know = database.prepare<[string]>('INSERT OR IGNORE INTO jobs (name) VALUES (?)');
  const write = database.prepare<JobFacts>(`
    UPDATE jobs SET schedule = @schedule, zone = @zone, planned_from = @plannedFromMs, next_run_at = @nextRunAtMs,
      run = @run, leased_until = @leasedUntilMs
    WHERE name = @name`);
  const takeCounters = counter(database, 'job');
  const start = database.prepare(`
    INSERT INTO job_runs (run, job, cause, holder, planned_at, started_at, machine, pid)
    VALUES (@run, @job, @cause, @holder, @plannedAtMs, @nowMs, @machine, @pid)`);
  const processOf = database.prepare<[number], { machine: string | null; pid: number | null }>(
    'SELECT machine, pid FROM job_runs WHERE run = ?',
  );
  const forget = database.prepare<{ job: string }>(`
    DELETE FROM job_runs WHERE job = @job AND run <=
      (SELECT run FROM job_runs WHERE job = @job ORDER BY run DESC LIMIT 1 OFFSET ${KEPT_RUNS})`);
  const end = database.prepare<EndedRun & Timed>(
    'UPDATE job_runs SET finished_at = @nowMs, outcome = @outcome, detail = @detail WHERE run = @run',
  );
  const lose = database.prepare<[number]>("UPDATE job_runs SET outcome = 'lost' WHERE run = ? AND outcome IS NULL");

  function known(name: string): JobFacts {
    know.run(name);
    return one.get(name) as JobFacts;
  }

  function writeIfChanged(job: JobFacts, before: JobFacts): void {
    if (job !== before) write.run(job);
  }

  /** Marks a run as lost whose lease is over, or whose process is gone. */
  function loseIfOver(job: JobFacts, { nowMs, caller }: Drawn): JobFacts {
    const holding = job.leasedUntilMs === null ? undefined : processOf.get(job.run);
    const { machine = null, pid = null } = holding ?? {};
    const isLost = machine !== null && pid !== null && caller.isGone({ machine, pid });
    const free = withoutLostRun(isLost ? { ...job, leasedUntilMs: 0 } : job, nowMs);
    if (free !== job) lose.run(job.run);
    return free;
  }

  function startRun(
    facts: JobFacts,
    { cause, plannedAtMs }: Pick<JobRun, 'cause' | 'plannedAtMs'>,
    { holder, leaseMs, nowMs, caller: { machine, pid } }: LeaseTerms & Drawn,
  ): JobRun {
    const { name: job } = facts;
    const run = takeCounters(1);
    const leasedUntilMs = nowMs + leaseMs;
    write.run({ ...facts, run, leasedUntilMs });
    start.run({ run, job, cause, holder, plannedAtMs, nowMs, machine, pid });
    forget.run({ job });
    return { run, job, cause, plannedAtMs, leasedUntilMs };
  }

  function leaseDueJob(before: JobFacts, terms: LeaseTerms & Drawn, early: boolean): JobRun[] {
    const { job, plannedAtMs } = dueJob(loseIfOver(before, terms), terms.nowMs, nextRun, early);
    if (plannedAtMs !== null) return [startRun(job, { cause: 'schedule', plannedAtMs }, terms)];
    writeIfChanged(job, before);
    return [];
  }

  return {
    plan: writing(database, ({ jobs, nowMs }: { jobs: readonly PlannedJob[] } & Timed): void => {
      for (const planned of jobs) {
        const before = known(planned.job);
        writeIfChanged(scheduled(before, planned, nowMs, nextRun), before);
      }
      const named = new Set(jobs.map(({ job }) => job));
      for (const before of all.all()) {
        if (!named.has(before.name)) writeIfChanged(scheduled(before, null, nowMs, nextRun), before);
      }
    }),

    leaseDue: writing(
      database,
      ({
        jobs,
        early = [],
        ...terms
      }: LeaseTerms & Drawn & { jobs: readonly string[]; early?: readonly string[] }): JobRun[] =>
        all
          .all()
          .filter(({ name }) => jobs.includes(name))
          .flatMap((job) => leaseDueJob(job, terms, early.includes(job.name))),
    ),

    begin: writing(
      database,
      ({ job, ...terms }: LeaseTerms & Drawn & { job: string }): { run: JobRun } | { held: HeldJob } => {
        const free = loseIfOver(known(job), terms);
        if (isHeld(free, terms.nowMs)) return { held: reading.held(free) };
        return { run: startRun(free, { cause: 'command', plannedAtMs: null }, terms) };
      },
    ),

    renew: writing(
      database,
      ({ run, job, leaseMs, nowMs }: { run: number; job: string; leaseMs: number } & Timed): boolean => {
        const renewed = afterRun(one.get(job), run, { leasedUntilMs: nowMs + leaseMs });
        if (renewed !== null) write.run(renewed);
        return renewed !== null;
      },
    ),

    finish: writing(database, (ended: EndedRun & Timed): boolean => {
      const free = afterRun(one.get(ended.job), ended.run, ended);
      if (free === null) return false;
      write.run(free);
      end.run(ended);
      return true;
    }),

    states: ({ nowMs }: Timed): JobState[] => reading.states(nowMs),
  };
}
