import type { Looked } from './messages.ts';

/** A look is used again for this long, so that many scrapes cost one look. */
const FRESH_MS = 5_000;
/** A thread that is busy with its jobs may answer late; then the look before is used. */
const WAIT_MS = 2_000;

/** The looks of the jobs' thread: one at a time, the latest is kept. Nothing here waits on this thread. */
export class Looking {
  readonly #ask: () => void;
  #latest: Looked | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #underway: PromiseWithResolvers<void> | null = null;

  /** `ask` sends the question; its answer comes through `looked`. */
  constructor(ask: () => void) {
    this.#ask = ask;
  }

  /** Resolves to the latest look: a fresh one, or after `WAIT_MS` the one before. */
  async look(): Promise<Looked | null> {
    if (performance.now() - this.#lookedAt < FRESH_MS) return this.#latest;
    if (this.#underway === null) {
      this.#underway = Promise.withResolvers();
      this.#ask();
    }
    const { promise } = this.#underway;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#underway = null; // the question may be lost with its thread
      late.resolve();
    }, WAIT_MS);
    await Promise.race([promise, late.promise]);
    clearTimeout(timer);
    return this.#latest;
  }

  /** Takes over the answer of the thread; null when it could not look. */
  looked(looked: Looked | null): void {
    if (looked !== null) {
      this.#latest = looked;
      this.#lookedAt = performance.now();
    }
    this.#underway?.resolve();
    this.#underway = null;
  }
}
