import type { Confirmations, EndedQuestion, Ending } from '../store/checks.ts';

/** So many at once at most: a transaction of a few milliseconds, so that a delivery never waits long for it. */
const GROUP = 16;
/** An ending waits so long for others to share its fsync. */
const GATHER_MS = 15;
/** Answers that may wait for the disk; beyond, whoever asks waits too. */
const MOST_WAITING = 128;

/** Writes endings in groups, while the next questions are already being asked. */
export class Endings {
  readonly #confirmations: Confirmations;
  readonly #onEnding: (ended: EndedQuestion, ending: Ending) => void;
  #waiting: EndedQuestion[] = [];
  #writing: Promise<void> | null = null;
  #gathering: NodeJS.Timeout | undefined;
  #failure: { readonly error: unknown } | null = null;

  constructor(confirmations: Confirmations, onEnding: (ended: EndedQuestion, ending: Ending) => void) {
    this.#confirmations = confirmations;
    this.#onEnding = onEnding;
  }

  /**
   * Resolves when there is room for more.
   *
   * @throws StoreError when an earlier group could not be written; its records are asked again when their lease is over
   */
  async add(ended: EndedQuestion): Promise<void> {
    this.#waiting.push(ended);
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

  /** Never rejects, because nobody may be waiting for it. */
  async #write(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const group = this.#waiting.splice(0, GROUP);
        const endings = await this.#confirmations.end(group);
        for (const [index, ending] of endings.entries()) this.#onEnding(group[index] as EndedQuestion, ending);
      }
    } catch (error) {
      this.#failure = { error };
      this.#waiting = [];
    } finally {
      this.#writing = null;
    }
  }
}
