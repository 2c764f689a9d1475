import type { CheckEffect } from '../domain/checks/check-result.ts';
import type { Checks, FinishedCheck } from '../store/checks.ts';

/** Most checks in one transaction: it takes a few milliseconds, so that a delivery never waits long for it. */
const GROUP = 16;
/** How long a finished check waits for others to share its transaction. */
const GATHER_MS = 15;
/** Finished checks that may wait for the disk; above this the lanes of the sweep wait too. */
const MOST_WAITING = 128;

/** Writes finished checks in groups, while the next checks are already being sent. */
export class FinishedChecks {
  readonly #checks: Checks;
  readonly #onWritten: (finished: FinishedCheck, effect: CheckEffect) => void;
  #waiting: FinishedCheck[] = [];
  #writing: Promise<void> | null = null;
  #gathering: NodeJS.Timeout | undefined;
  #failure: { readonly error: unknown } | null = null;

  constructor(checks: Checks, onWritten: (finished: FinishedCheck, effect: CheckEffect) => void) {
    this.#checks = checks;
    this.#onWritten = onWritten;
  }

  /**
   * Resolves when there is room for more.
   *
   * @throws StoreError when an earlier group could not be written; its records are due again when their lease is over
   */
  async add(finished: FinishedCheck): Promise<void> {
    this.#waiting.push(finished);
    if (this.#waiting.length >= GROUP) this.#writeSoon(0);
    else this.#writeSoon(GATHER_MS);
    if (this.#waiting.length >= MOST_WAITING) await this.#writing;
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Resolves when everything is written. Throws as `add` does. */
  async flush(): Promise<void> {
    if (this.#waiting.length > 0) this.#writeSoon(0);
    await this.#writing;
    if (this.#failure !== null) throw this.#failure.error;
  }

  #writeSoon(waitMs: number): void {
    if (waitMs === 0) {
      clearTimeout(this.#gathering);
      this.#gathering = undefined;
      this.#writing ??= this.#write();
    } else if (this.#writing === null) this.#gathering ??= setTimeout(() => this.#writeSoon(0), waitMs);
  }

  /** Never rejects, because no caller may be waiting for it: `add` and `flush` throw its failure. */
  async #write(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const group = this.#waiting.splice(0, GROUP);
        const effects = await this.#checks.finish(group);
        for (const [index, effect] of effects.entries()) this.#onWritten(group[index] as FinishedCheck, effect);
      }
    } catch (error) {
      this.#failure = { error };
      this.#waiting = [];
    } finally {
      this.#writing = null;
    }
  }
}
