import {
  type JobResult,
  type RanJob,
  type RunnableJob,
  Schedule,
  type ScheduleParts,
} from '../../src/jobs/schedule.ts';
import type { PlannedJob } from '../../src/store/jobs.ts';
import type { OpenOperations } from '../../src/store/store.ts';
import { FixedClock } from './fixed-clock.ts';
import { openOperations } from './operations.ts';
import { EXACT } from './sweeping.ts';
import { TestDatabase } from './test-database.ts';

export const LEASE_MS = 60_000;
export const DONE: JobResult = { outcome: 'done', detail: 'did it' };

/** A job that runs until the test or its abort signal ends it. */
export class HeldWork {
  /** Runs that began, and runs that were aborted. */
  began = 0;
  aborted = 0;
  #release: ((result: JobResult) => void)[] = [];

  readonly work: RunnableJob = (signal) => {
    this.began++;
    return new Promise((resolve) => {
      this.#release.push(resolve);
      signal.addEventListener('abort', () => {
        this.aborted++;
        resolve({ outcome: 'stopped', detail: 'aborted' });
      });
    });
  };

  end(result: JobResult = DONE): void {
    for (const release of this.#release.splice(0)) release(result);
  }
}

/** A database, a clock that stands still, and schedules on them, each as a process of its own would be. */
export class Scheduling {
  readonly db = new TestDatabase();
  readonly clock = new FixedClock();
  readonly ran: RanJob[] = [];
  readonly faults: { readonly doing: string; readonly error: unknown }[] = [];
  readonly #opened: OpenOperations[] = [];
  /** Lease renewals, called by the test. */
  readonly #renewals: (() => void)[] = [];

  schedule(work: Readonly<Record<string, RunnableJob>>, over: Partial<ScheduleParts> = {}): Schedule {
    return new Schedule({
      jobs: this.open().jobs,
      clock: this.clock,
      holder: `process ${this.#opened.length}`,
      leaseMs: LEASE_MS,
      runnable: new Map(Object.entries(work)),
      onRan: (ran) => this.ran.push(ran),
      onFault: (error, doing) => this.faults.push({ error, doing }),
      every: (_ms, renew) => {
        this.#renewals.push(renew);
        return () => void this.#renewals.splice(this.#renewals.indexOf(renew), 1);
      },
      ...over,
    });
  }

  open(): OpenOperations {
    const operations = openOperations(this.db.path, EXACT, this.clock);
    this.#opened.push(operations);
    return operations;
  }

  plan(...jobs: readonly PlannedJob[]): Promise<void> {
    return this.open().jobs.plan({ jobs });
  }

  /** Renews the lease of every run under way. */
  async renew(): Promise<void> {
    for (const renew of [...this.#renewals]) await renew();
  }

  /** Runs that still renew their lease. */
  get renewing(): number {
    return this.#renewals.length;
  }

  runs(): unknown[] {
    return this.db.database.prepare('SELECT run, job, cause, holder, outcome, detail FROM job_runs ORDER BY run').all();
  }

  close(): void {
    for (const operations of this.#opened) operations.close();
    this.db.remove();
  }
}
