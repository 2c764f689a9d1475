import { type Job, JobHeap, type JobKind } from './job-heap.ts';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface ClockOptions {
  /** `running` follows real time; `manual` moves only by `advance`. What is due at once runs at once in both. */
  readonly mode: 'running' | 'manual';
  /** Where a sandbox's time begins. Default: the real time. */
  readonly startMs?: number;
  /** Sandbox seconds per real second while running. */
  readonly speed: number;
}

/**
 * The sandbox's own time and the jobs waiting for it. The only file of the sandbox that reads the real clock.
 * `advance` runs every job that falls due on the way, each at its own instant.
 */
export class Clock {
  private readonly heap = new JobHeap();
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

  /** Who runs a job, and what to wait for before time may move on (deliveries in flight). */
  connect(run: (job: Job) => void, drained: () => Promise<void>): void {
    this.run = run;
    this.drained = drained;
  }

  /** Milliseconds since 1970 in sandbox time. */
  now(): number {
    if (this.options.mode === 'manual') return this.baseMs;
    return Math.floor(this.baseMs + (performance.now() - this.anchorMs) * this.options.speed);
  }

  schedule(delayMs: number, kind: JobKind, data: Job['data']): void {
    this.heap.push({ id: this.nextId++, dueMs: this.now() + delayMs, kind, data });
    this.wake();
  }

  /** Moves time forward by `byMs`, running what falls due in order; resolves when its webhooks have been attempted. */
  advance(byMs: number): Promise<void> {
    const turn = this.advancing.then(() => this.walk(this.now() + byMs));
    this.advancing = turn.catch(() => {});
    return turn;
  }

  jobs(): readonly Job[] {
    return this.heap.list();
  }

  /** Puts another time and other jobs in place (reset, restore). `catchUp`: not behind the real time when running. */
  replace(nowMs: number, jobs: readonly Job[], catchUp = false): void {
    this.heap.clear();
    for (const job of jobs) {
      this.heap.push(job);
      this.nextId = Math.max(this.nextId, job.id + 1);
    }
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
    for (let next = this.heap.peek(); next && next.dueMs <= targetMs; next = this.heap.peek()) {
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
    for (let job = this.heap.peek(); job && job.dueMs <= now; job = this.heap.peek()) {
      this.heap.pop();
      this.run(job);
    }
  }

  private wake(): void {
    const next = this.heap.peek();
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
    if (this.options.mode === 'manual') return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), Math.min(waitMs / this.options.speed, LONGEST_TIMER_MS));
    this.timer.unref();
  }
}
