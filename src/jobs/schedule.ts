import { TallyhookError } from '../domain/error.ts';
import type { EndedRun, HeldJob, JobRun, Jobs } from '../store/jobs.ts';
import type { Clock } from '../time/clock.ts';

/** What a job says of itself when it ends. */
export interface JobResult {
  /** `stopped`: cut short by its signal, so it is to run again. */
  readonly outcome: EndedRun['outcome'];
  /** In a line, for a person. */
  readonly detail: string;
  /** What it did, in numbers, for whoever watches. */
  readonly counts?: Readonly<Record<string, number>>;
  /** What is still to be done. */
  readonly left?: number;
}

/**
 * A job. The signal is aborted when it is to end early: its process stops, or somebody else has taken over. The second one,
 * `cutOff`, half-way to the end of the process: what others have not answered by then is not waited for.
 */
export type RunnableJob = (signal: AbortSignal, cutOff: AbortSignal) => Promise<JobResult>;

/** A run that ended here. */
export interface RanJob extends JobResult {
  readonly run: JobRun;
  readonly tookMs: number;
  /** False: somebody else had taken over meanwhile, and this end was not recorded. */
  readonly accepted: boolean;
}

export interface ScheduleParts {
  readonly jobs: Jobs;
  readonly clock: Clock;
  /** For a person: which process this is. */
  readonly holder: string;
  /** So long after its last sign of life a run counts as lost. */
  readonly leaseMs: number;
  /** What can run here, by name. */
  readonly runnable: ReadonlyMap<string, RunnableJob>;
  readonly onRan: (ran: RanJob) => void;
  /** The store could not be reached, or a job threw; the schedule goes on. */
  readonly onFault: (error: unknown, doing: string) => void;
  /** Calls again and again until the returned function is called; by a timer of Node's when absent. */
  readonly every?: (ms: number, work: () => void) => () => void;
}

/** Signs of life in a lease: three may fail. */
const BEATS = 4;
/** Longer details belong into a log. */
const DETAIL_LENGTH = 500;
/** Of the grace, for what is under way elsewhere; the rest is for giving back what that leaves. */
const CUT_OFF_SHARE = 0.5;

/**
 * Runs what is due. The store decides what that is, and that nobody else runs it; being woken too often, too late or
 * twice changes nothing. A run shows signs of life while it lasts; when they come too late and another process has taken
 * over, it is told to end, and nothing of it is recorded.
 */
export class Schedule {
  readonly #parts: ScheduleParts;
  readonly #stopping = new AbortController();
  readonly #cutOff = new AbortController();
  /** By name: never two of a job, whatever the clock says about a lease. */
  readonly #running = new Map<string, { readonly run: JobRun; readonly ended: Promise<RanJob> }>();
  #looking: Promise<unknown> | null = null;

  constructor(parts: ScheduleParts) {
    this.#parts = parts;
  }

  /** Starts whatever is due; resolves with the runs that began. While it looks, another call changes nothing. */
  async tick(): Promise<readonly JobRun[]> {
    if (this.#looking !== null || this.#stopping.signal.aborted) return [];
    const looking = this.#leaseDue();
    this.#looking = looking;
    try {
      const runs = await looking;
      for (const run of runs) this.#start(run);
      return runs;
    } catch (error) {
      this.#parts.onFault(error, 'looking for what is due');
      return [];
    } finally {
      this.#looking = null;
    }
  }

  /** Runs one job now, or says who does. Rejects with a StoreError. */
  async runNow(job: string): Promise<RanJob | { readonly held: HeldJob }> {
    const { jobs, clock, holder, leaseMs } = this.#parts;
    const begun = await jobs.begin({ job, holder, leaseMs, nowMs: clock.nowMs() });
    return 'held' in begun ? begun : this.#start(begun.run);
  }

  /** Resolves when nothing that began here runs any more. */
  async idle(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /**
   * Starts nothing more, tells what runs to end, and waits for it until `graceMs` have passed. Whatever has not ended by
   * then is given back all the same, because the process ends.
   */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    await this.#looking?.catch(() => {});
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

  #leaseDue(): Promise<JobRun[]> {
    const { jobs, clock, holder, leaseMs, runnable } = this.#parts;
    const free = [...runnable.keys()].filter((job) => !this.#running.has(job));
    return jobs.leaseDue({ jobs: free, holder, leaseMs, nowMs: clock.nowMs() });
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
    const signOfLife = this.#signOfLife(run, () => lost.abort());
    const stopBeating = every(leaseMs / BEATS, signOfLife);
    const result = await this.#result(run, AbortSignal.any([this.#stopping.signal, lost.signal]));
    stopBeating();
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

  /** Renews the lease; `onLost` when that is refused, or has failed until the lease was over. */
  #signOfLife({ run, job, leasedUntilMs }: JobRun, onLost: () => void): () => Promise<void> {
    const { jobs, clock, leaseMs, onFault } = this.#parts;
    let untilMs = leasedUntilMs;
    return async () => {
      const nowMs = clock.nowMs();
      try {
        if (await jobs.renew({ run, job, leaseMs, nowMs })) untilMs = nowMs + leaseMs;
        else onLost();
      } catch (error) {
        onFault(error, `renewing the lease of ${job}`);
        if (clock.nowMs() >= untilMs) onLost();
      }
    };
  }

  async #finish({ run, job }: JobRun, { outcome, detail }: JobResult): Promise<boolean> {
    const { jobs, clock, onFault } = this.#parts;
    try {
      return await jobs.finish({ run, job, outcome, detail: detail.slice(0, DETAIL_LENGTH), nowMs: clock.nowMs() });
    } catch (error) {
      // The lease runs out by itself, and the job runs again.
      onFault(error, `recording how ${job} ended`);
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
