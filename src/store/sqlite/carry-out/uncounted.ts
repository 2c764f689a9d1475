import type { Refusal, RefusalCount } from '../../inbox.ts';

/** Samples that wait, so that a long time without space costs no memory. */
const SAMPLES = 100;

/**
 * Refusals that wait to be written: while the disk is full their number is what an operator asks for afterwards. Bounded,
 * because refusals come by few paths and reasons.
 */
export class Uncounted {
  #counts = new Map<string, RefusalCount>();
  #samples: Refusal[] = [];

  get isEmpty(): boolean {
    return this.#counts.size === 0 && this.#samples.length === 0;
  }

  add(counts: readonly RefusalCount[], samples: readonly Refusal[]): void {
    for (const one of counts) {
      const key = `${one.path} ${one.reason} ${one.likeness} ${one.environments}`;
      const known = this.#counts.get(key);
      this.#counts.set(key, {
        ...one,
        count: (known?.count ?? 0) + one.count,
        firstAtMs: known?.firstAtMs ?? one.firstAtMs,
      });
    }
    this.#samples = [...this.#samples, ...samples].slice(-SAMPLES);
  }

  /** Gives everything to `write`, and forgets it unless `write` throws. */
  write(write: (counts: readonly RefusalCount[], samples: readonly Refusal[]) => void): void {
    write([...this.#counts.values()], this.#samples);
    this.#counts.clear();
    this.#samples = [];
  }
}
