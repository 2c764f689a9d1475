import { ACK_BOUNDS_MS, type AckCounts, boundOf } from '../domain/health/ack-times.ts';

/**
 * How long the acknowledgements of this process took, counted in memory that its threads share: the main thread counts, and the job that
 * keeps samples takes, without a message for either.
 */
export class AckMemory {
  readonly shared: SharedArrayBuffer;
  readonly #counts: Uint32Array<SharedArrayBuffer>;

  /** `shared`: that of another thread. */
  constructor(shared = new SharedArrayBuffer((ACK_BOUNDS_MS.length + 1) * Uint32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#counts = new Uint32Array(shared);
  }

  add(ms: number): void {
    Atomics.add(this.#counts, boundOf(ms), 1);
  }

  /** Those since they were last taken. */
  take(): AckCounts {
    return Array.from(this.#counts, (_, at) => Atomics.exchange(this.#counts, at, 0));
  }

  /** They were taken, and could not be kept. */
  putBack(counts: AckCounts): void {
    for (const [at, count] of counts.entries()) Atomics.add(this.#counts, at, count);
  }
}
