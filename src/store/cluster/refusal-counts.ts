import type { Refusal, RefusalCount } from '../inbox.ts';
import { Uncounted } from '../sqlite/carry-out/uncounted.ts';
import { drawnId } from './cluster-state.ts';
import type { SharedWrite } from './entry.ts';

/** Appends a write under an id; rejects when it may not be in the log. */
type AppendWrite = (write: SharedWrite, id: string) => Promise<unknown>;

/**
 * Refusals on their way into the log. Those of all requests since the last entry go together; one whose append failed is tried again under its
 * id: it may be in the log.
 */
export class RefusalCounts {
  readonly #append: AppendWrite;
  readonly #ended: (error: unknown) => void;
  readonly #uncounted = new Uncounted();
  #refused: { readonly id: string; readonly write: SharedWrite } | null = null;
  #sending: Promise<void> | null = null;
  #isClosing = false;

  /** `ended` gets how each append ended: its error, or null. */
  constructor(append: AppendWrite, ended: (error: unknown) => void) {
    this.#append = append;
    this.#ended = ended;
  }

  add(counts: readonly RefusalCount[], samples: readonly Refusal[]): void {
    this.#uncounted.add(counts, samples);
  }

  /** Appends what there is; what comes while an append is on its way goes with the next one. */
  send(): void {
    if (this.#sending !== null) return;
    if (this.#refused === null && !this.#uncounted.isEmpty)
      this.#uncounted.write((counts, samples) => {
        this.#refused = { id: drawnId(), write: { kind: 'refusals', counts, samples } };
      });
    if (this.#refused === null) return;
    this.#sending = this.#append(this.#refused.write, this.#refused.id)
      .then(() => {
        this.#refused = null;
        return null;
      })
      .catch((error: unknown) => error)
      .then((error) => {
        this.#sending = null;
        this.#ended(error);
        if (error === null && !this.#isClosing) this.send();
      });
  }

  /** Appends the last ones, as far as one try reaches. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#sending;
    if (this.#refused === null) this.send(); // those that came while others were on their way
    await this.#sending;
  }
}
