import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { OUTCOMES } from '../domain/checks/check.ts';
import { JOB_NAMES, JOB_OUTCOMES } from '../domain/jobs/job.ts';
import { hasFailed, type JobState, overdueMs } from '../store/jobs.ts';
import type { Clock } from '../time/clock.ts';
import type { RanJob } from './schedule.ts';

/** The metrics of the schedule: runs of this process, and the states of all jobs in any process. */
export function jobMetrics(registry: Registry, clock: Clock) {
  const registers = [registry];
  let known: readonly JobState[] = [];

  const runs = new Counter({
    name: 'tallyhook_job_runs_total',
    help: 'Runs of jobs that ended in this process, by outcome.',
    labelNames: ['job', 'outcome'],
    registers,
  });
  for (const job of JOB_NAMES) for (const outcome of JOB_OUTCOMES) runs.inc({ job, outcome }, 0);
  const seconds = new Histogram({
    name: 'tallyhook_job_seconds',
    help: 'Duration of runs of jobs in this process.',
    labelNames: ['job'],
    buckets: [0.05, 0.25, 1, 5, 15, 60, 300, 1_800],
    registers,
  });
  const counts = new Counter({
    name: 'tallyhook_job_counts_total',
    help: 'Counts of each job; for sweep: checked, confirmed, changed, repaired and so on.',
    labelNames: ['job', 'count'],
    registers,
  });
  for (const count of OUTCOMES) if (count !== 'answered') counts.inc({ job: 'sweep', count }, 0);
  const left = new Gauge({
    name: 'tallyhook_job_left',
    help: 'Work left by the latest run in this process; for sweep: records still due.',
    labelNames: ['job'],
    registers,
  });
  const gauge = (name: string, help: string, value: (state: JobState) => number | null) =>
    new Gauge({
      name,
      help,
      labelNames: ['job'],
      registers,
      collect() {
        this.reset();
        for (const state of known) {
          const seen = value(state);
          if (seen !== null) this.set({ job: state.job }, seen);
        }
      },
    });
  gauge(
    'tallyhook_job_failed',
    '1 when the latest run that ended failed, or was lost and no other repairs that now.',
    (state) => Number(hasFailed(state)),
  );
  gauge('tallyhook_job_overdue', '1 when it should have run five minutes ago, and no process runs it.', (state) =>
    state.schedule === null ? null : Number(overdueMs(state, clock.nowMs()) !== null),
  );
  gauge('tallyhook_job_done_timestamp_seconds', 'When it last ended well.', ({ doneAtMs }) => inSeconds(doneAtMs));
  gauge('tallyhook_job_next_timestamp_seconds', 'When it runs next.', ({ nextRunAtMs }) => inSeconds(nextRunAtMs));

  const ofPresentRun = new Map<string, Readonly<Record<string, number>>>();
  const counted = (job: string, done: Readonly<Record<string, number>>) => {
    const before = ofPresentRun.get(job) ?? {};
    for (const [count, value] of Object.entries(done))
      counts.inc({ job, count }, Math.max(0, value - (before[count] ?? 0)));
    ofPresentRun.set(job, done);
  };

  return {
    /** What the present run of a job did so far: a sweep may take an hour. */
    counted,
    ran({ run: { job }, outcome, tookMs, counts: done = {}, left: undone, accepted }: RanJob): void {
      runs.inc({ job, outcome: accepted ? outcome : 'lost' });
      seconds.observe({ job }, tookMs / 1_000);
      counted(job, done);
      ofPresentRun.delete(job);
      if (undone !== undefined) left.set({ job }, undone);
    },
    setStates(states: readonly JobState[]): void {
      known = states;
    },
  };
}

export type JobMetrics = ReturnType<typeof jobMetrics>;

function inSeconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1_000;
}
