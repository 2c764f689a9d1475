import { TallyhookError } from '../domain/error.ts';
import type { EndedRun, HeldJob, JobRun, Jobs } from '../store/jobs.ts';
import type { Clock } from '../time/clock.ts';

/** The result of a job. */
export interface JobResult {
  /** `stopped`: ended early by its signal, so it is to run again. */
  readonly outcome: EndedRun['outcome'];
  /** One line, for people. */
  readonly detail: string;
  /** What it did, in counts by name. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Work that is left, such as records still due. */
  readonly left?: number;
}

/**
 * A job. `signal` is aborted when the job is to end early: its process stops, or another process has taken it over.
 * `cutOff` is aborted half-way through the grace time of a stop: calls without an answer end.
 */
export type RunnableJob = (signal: AbortSignal, cutOff: AbortSignal) => Promise<JobResult>;

/** A run that ended here. */
export interface RanJob extends JobResult {
  readonly run: JobRun;
  readonly tookMs: number;
  /** False: the result was not recorded, because another process had taken the job over or the store took no write. */
  readonly accepted: boolean;
}

export interface ScheduleParts {
  readonly jobs: Jobs;
  readonly clock: Clock;
  /** Names this process, for people. */
  readonly holder: string;
  /** A run that does not renew its lease for this long counts as lost. */
  readonly leaseMs: number;
  /** The jobs that can run here, by name. */
  readonly runnable: ReadonlyMap<string, RunnableJob>;
  readonly onRan: (ran: RanJob) => void;
  /** The store could not be reached, or a job threw; the schedule goes on. */
  readonly onFault: (error: unknown, doing: string) => void;
  /** No due job can be leased: the store failed, or gives no answer, with which it is called again and again (null). */
  readonly onUnleased?: (error: unknown) => void;
  /** Calls `work` every `ms` until the returned function is called; by setInterval when absent. */
  readonly every?: (ms: number, work: () => void) => () => void;
}

/** Renewals per lease time: three in a row may fail. */
const RENEWALS = 4;
/** The store answers within this, in milliseconds, also when it waits for a lock: later it counts as unable to write. */
const ANSWER_MS = 8_000;
/** Most characters of a detail in the database. */
const DETAIL_LENGTH = 500;
/** Share of the grace time after which calls under way are cut off; the rest is for releasing their work. */
const CUT_OFF_SHARE = 0.5;

/**
 * Runs due jobs. The store decides which jobs are due and leases each to one process, so extra or late calls of `tick` do no
 * harm. A run renews its lease; when a renewal comes too late and another process has taken the job over, the run is
 * aborted and its result is not recorded.
 */
export class Schedule {
  readonly #parts: ScheduleParts;
  readonly #stopping = new AbortController();
  readonly #cutOff = new AbortController();
  /** By name: never two runs of a job in this process, also after a clock change. */
  readonly #running = new Map<string, { readonly run: JobRun; readonly ended: Promise<RanJob> }>();
  #leasing: Promise<unknown> | null = null;

  constructor(parts: ScheduleParts) {
    this.#parts = parts;
  }

  /**
   * Starts the due jobs, and those of `early` although their time has not come; resolves with the runs that began. A call during
   * another one starts nothing.
   */
  async tick(early: readonly string[] = []): Promise<readonly JobRun[]> {
    if (this.#leasing !== null || this.#stopping.signal.aborted) return [];
    const leasing = this.#leaseDue(early);
    this.#leasing = leasing;
    const late = setInterval(() => this.#parts.onUnleased?.(null), ANSWER_MS);
    try {
      const runs = await leasing;
      for (const run of runs) this.#start(run);
      return runs;
    } catch (error) {
      this.#parts.onFault(error, 'leasing due jobs');
      this.#parts.onUnleased?.(error);
      return [];
    } finally {
      clearInterval(late);
      this.#leasing = null;
    }
  }

  /** Whether a run of this process holds the job. */
  isRunning(job: string): boolean {
    return this.#running.has(job);
  }

  /** Runs one job now, or returns who runs it. Rejects with a StoreError. */
  async runNow(job: string): Promise<RanJob | { readonly held: HeldJob }> {
    const { jobs, holder, leaseMs } = this.#parts;
    const begun = await jobs.begin({ job, holder, leaseMs });
    return 'held' in begun ? begun : this.#start(begun.run);
  }

  /** Resolves when no run of this process is left. */
  async idle(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /**
   * Starts no more runs, aborts the running ones, and waits for them for `graceMs` at most. Then the remaining runs are
   * released, because the process ends.
   */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    await this.#leasing?.catch(() => {});
    const tooLate = Promise.withResolvers<void>();
    const timers = [
      setTimeout(() => this.#cutOff.abort(), graceMs * CUT_OFF_SHARE),
      setTimeout(() => tooLate.resolve(), graceMs),
    ];
    await Promise.race([this.idle(), tooLate.promise]);
    for (const timer of timers) clearTimeout(timer);
    const detail = 'the process stopped before it had ended';
    await Promise.all([...this.#running.values()].map(({ run }) => this.#finish(run, { outcome: 'stopped', detail })));
  }

  #leaseDue(early: readonly string[]): Promise<JobRun[]> {
    const { jobs, holder, leaseMs, runnable } = this.#parts;
    const free = [...runnable.keys()].filter((job) => !this.#running.has(job));
    return jobs.leaseDue({ jobs: free, early, holder, leaseMs });
  }

  #start(run: JobRun): Promise<RanJob> {
    const ended = this.#carryOut(run).finally(() => this.#running.delete(run.job));
    this.#running.set(run.job, { run, ended });
    return ended;
  }

  async #carryOut(run: JobRun): Promise<RanJob> {
    const { leaseMs, every = byTimer, onRan } = this.#parts;
    const startedAt = performance.now();
    const lost = new AbortController();
    const renew = this.#renewal(run, () => lost.abort());
    const stopRenewing = every(leaseMs / RENEWALS, renew);
    const result = await this.#result(run, AbortSignal.any([this.#stopping.signal, lost.signal]));
    stopRenewing();
    const accepted = await this.#finish(run, result);
    const ran = { ...result, run, accepted, tookMs: performance.now() - startedAt };
    onRan(ran);
    return ran;
  }

  async #result({ job }: JobRun, signal: AbortSignal): Promise<JobResult> {
    if (signal.aborted) return { outcome: 'stopped', detail: 'the process stopped before it began' };
    try {
      const carryOut = this.#parts.runnable.get(job);
      if (carryOut === undefined) throw new Error(`${job} cannot run in this process.`);
      return await carryOut(signal, this.#cutOff.signal);
    } catch (error) {
      if (signal.aborted) return { outcome: 'stopped', detail: messageOf(error) };
      this.#parts.onFault(error, job);
      return { outcome: 'failed', detail: messageOf(error) };
    }
  }

  /** Returns a function that renews the lease; it calls `onLost` when that is refused, or failed until the lease was over. */
  #renewal({ run, job }: JobRun, onLost: () => void): () => Promise<void> {
    const { jobs, clock, leaseMs, onFault } = this.#parts;
    let untilMs = clock.nowMs() + leaseMs; // by this process's clock: the store's may differ
    return async () => {
      const nowMs = clock.nowMs();
      try {
        if (await jobs.renew({ run, job, leaseMs })) untilMs = nowMs + leaseMs;
        else onLost();
      } catch (error) {
        onFault(error, `renewing the lease of ${job}`);
        if (clock.nowMs() >= untilMs) onLost();
      }
    };
  }

  async #finish({ run, job }: JobRun, { outcome, detail }: JobResult): Promise<boolean> {
    const { jobs, onFault } = this.#parts;
    try {
      return await jobs.finish({ run, job, outcome, detail: detail.slice(0, DETAIL_LENGTH) });
    } catch (error) {
      // The lease runs out, and the job runs again.
      onFault(error, `recording the result of ${job}`);
      return false;
    }
  }
}

function byTimer(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
}

function messageOf(error: unknown): string {
  if (error instanceof TallyhookError) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
