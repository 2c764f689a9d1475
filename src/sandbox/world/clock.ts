import { type Job, type JobKind, jobQueue } from './job.ts';

/** The longest delay of setTimeout, 24.8 days; the clock starts another timer for a longer one. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface ClockOptions {
  /** `running` follows real time; `manual` moves only by `advance`. Jobs without a delay run immediately in both. */
  readonly mode: 'running' | 'manual';
  /** The first time of the sandbox. Default: the real time. */
  readonly startMs?: number;
  /** Sandbox seconds per real second while running. */
  readonly speed: number;
}

/**
 * The sandbox time and the jobs scheduled in it. No other file of the sandbox reads the real clock. `advance` runs every
 * job that becomes due, each at its own due time.
 */
export class Clock {
  private queue = jobQueue([]);
  private readonly options: ClockOptions;
  private baseMs: number;
  private anchorMs = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private immediate: NodeJS.Immediate | undefined;
  private advancing: Promise<void> = Promise.resolve();
  private stopped = false;
  private nextId = 1;
  private run: (job: Job) => void = () => {};
  private drained: () => Promise<void> = () => Promise.resolve();

  constructor(options: ClockOptions) {
    this.options = options;
    this.baseMs = options.startMs ?? Date.now();
  }

  /** Sets the function that runs a job, and the one that resolves when time may move on (no delivery in flight). */
  connect(run: (job: Job) => void, drained: () => Promise<void>): void {
    this.run = run;
    this.drained = drained;
  }

  /** Whether time moves only by `advance`. */
  get isManual(): boolean {
    return this.options.mode === 'manual';
  }

  /** Sandbox time, in milliseconds since 1970. */
  now(): number {
    if (this.isManual) return this.baseMs;
    return Math.floor(this.baseMs + (performance.now() - this.anchorMs) * this.options.speed);
  }

  schedule(delayMs: number, kind: JobKind, data: Job['data']): void {
    this.queue.push({ id: this.nextId++, dueMs: this.now() + delayMs, kind, data });
    this.wake();
  }

  /** Moves time forward by `byMs` and runs the due jobs in order; resolves when their webhooks were attempted. */
  advance(byMs: number): Promise<void> {
    const turn = this.advancing.then(() => this.walk(this.now() + byMs));
    this.advancing = turn.catch(() => {});
    return turn;
  }

  /** All jobs, unordered. */
  jobs(): readonly Job[] {
    return this.queue.data;
  }

  /** Replaces time and jobs (reset, restore). With `catchUp` a running clock starts at the real time or later. */
  replace(nowMs: number, jobs: readonly Job[], catchUp = false): void {
    this.queue = jobQueue(jobs);
    for (const job of jobs) this.nextId = Math.max(this.nextId, job.id + 1);
    this.baseMs = catchUp && this.options.mode === 'running' ? Math.max(nowMs, Date.now()) : nowMs;
    this.anchorMs = performance.now();
    this.wake();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    clearImmediate(this.immediate);
  }

  private async walk(targetMs: number): Promise<void> {
    await this.drained();
    for (let next = this.queue.peek(); next && next.dueMs <= targetMs; next = this.queue.peek()) {
      this.jumpTo(next.dueMs);
      this.runDue();
      await this.drained();
    }
    this.jumpTo(targetMs);
    this.wake();
  }

  private jumpTo(timeMs: number): void {
    const ahead = timeMs - this.now();
    if (ahead > 0) this.baseMs += ahead;
  }

  private runDue(): void {
    const now = this.now();
    for (let job = this.queue.peek(); job && job.dueMs <= now; job = this.queue.peek()) {
      this.queue.pop();
      this.run(job);
    }
  }

  private wake(): void {
    const next = this.queue.peek();
    if (!next || this.stopped) return;
    const waitMs = next.dueMs - this.now();
    if (waitMs <= 0) {
      this.immediate ??= setImmediate(() => {
        this.immediate = undefined;
        this.runDue();
        this.wake();
      });
      return;
    }
    if (this.isManual) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), Math.min(waitMs / this.options.speed, LONGEST_TIMER_MS));
    this.timer.unref();
  }
}
