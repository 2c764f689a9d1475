import type { CheckEffect } from '../domain/checks/check-result.ts';
import type { Checks, FinishedCheck } from '../store/checks.ts';

/** Most checks in one transaction: it takes some 20 ms. */
const GROUP = 64;
/** How long a finished check waits for others to share its transaction: of several machines each of them carries every transaction out. */
const GATHER_MS = 100;
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
    this.#writeSoon();
    if (this.#waiting.length >= MOST_WAITING) await this.#writing;
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Resolves when everything is written. Throws as `add` does. */
  async flush(): Promise<void> {
    for (await this.#writing; this.#waiting.length > 0; await this.#writing) this.#begin();
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Writes a full group at once, another one once it has had time to grow. */
  #writeSoon(): void {
    if (this.#waiting.length >= GROUP) this.#begin();
    else if (this.#waiting.length > 0) this.#gathering ??= setTimeout(() => this.#begin(), GATHER_MS);
  }

  #begin(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (this.#waiting.length > 0) this.#writing ??= this.#write(this.#waiting.splice(0, GROUP));
  }

  /** Never rejects, because no caller may be waiting for it: `add` and `flush` throw its failure. */
  async #write(group: readonly FinishedCheck[]): Promise<void> {
    try {
      const effects = await this.#checks.finish(group);
      for (const [index, effect] of effects.entries()) this.#onWritten(group[index] as FinishedCheck, effect);
    } catch (error) {
      this.#failure = { error };
      this.#waiting = [];
    } finally {
      this.#writing = null;
      this.#writeSoon();
    }
  }
}
