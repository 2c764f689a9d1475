/** One time by which the waits of a process end. A thread that is busy waiting gets no message, so it is in memory that all threads share. */
export class Deadline {
  /** For another thread: nanoseconds of the clock that all threads of a process share, and that never jumps; 0 until it is set. */
  readonly shared: SharedDeadline;

  constructor(shared: SharedDeadline = new BigInt64Array(new SharedArrayBuffer(8))) {
    this.shared = shared;
  }

  set(afterMs: number): void {
    Atomics.store(this.shared, 0, process.hrtime.bigint() + BigInt(Math.round(afterMs * 1e6)));
  }

  /** Milliseconds until then, 0 afterwards; infinite until it is set. */
  get leftMs(): number {
    const untilNs = Atomics.load(this.shared, 0);
    return untilNs === 0n ? Number.POSITIVE_INFINITY : Math.max(0, Number(untilNs - process.hrtime.bigint()) / 1e6);
  }
}

export type SharedDeadline = BigInt64Array<SharedArrayBuffer>;
