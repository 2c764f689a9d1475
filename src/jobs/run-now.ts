import type { Config } from '../config/load.ts';
import type { JobName } from '../domain/jobs/job.ts';
import type { HeldJob } from '../store/jobs.ts';
import { runStoppable } from './catalogue.ts';
import { holderName, JOB_LEASE_MS, type JobParts } from './job.ts';
import { requireJobSettings } from './job-settings.ts';
import { type RanJob, Schedule } from './schedule.ts';

/** What a run by a person needs beside what every job does. */
export interface RunNowParts
  extends Pick<JobParts, 'operations' | 'clock' | 'signal' | 'onWarning' | 'onAlert' | 'onProgress'> {
  readonly config: Config;
  /** For people, what asks: `schedule run`. */
  readonly asked: string;
  /** Aborted when calls without an answer are to end; missing: half-way through `stopMs`. */
  readonly cutOff?: AbortSignal;
  /** Time after `signal` in which the job may end; then its lease is released anyway. */
  readonly stopMs: number;
  /** Told why it failed. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Runs a job now, under the same lease as the schedule of `serve`, or returns who runs it.
 *
 * @throws ConfigurationError when a setting that the job needs is missing; StoreError
 */
export async function runJobNow(
  job: JobName,
  { config, asked, signal, cutOff, stopMs, onFault, ...own }: RunNowParts,
): Promise<RanJob | { readonly held: HeldJob }> {
  requireJobSettings(job, config);
  const { operations, clock } = own;
  const schedule = new Schedule({
    ...{ jobs: operations.jobs, clock, holder: holderName(asked), leaseMs: JOB_LEASE_MS },
    runnable: new Map([
      [job, (ended, late) => runStoppable(job, { ...own, config, signal: ended, cutOff: cutOff ?? late })],
    ]),
    onRan: () => {},
    onFault,
  });
  const stop = () => void schedule.stop(stopMs);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await schedule.runNow(job);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
