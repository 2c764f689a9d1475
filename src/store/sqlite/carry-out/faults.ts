import { failureOf, type StoreError } from '../../error.ts';
import type { BooksWork } from '../../inbox.ts';
import type { FromBooks } from './messages.ts';

/**
 * Faults of the work on the books. Each is reported when it begins, when it changes, and when it is over: its work is
 * tried again every second, and a line each time would fill the log and hide everything else.
 */
export class Faults {
  readonly #post: (message: FromBooks) => void;
  readonly #open = new Map<BooksWork, string>();

  constructor(post: (message: FromBooks) => void) {
    this.#post = post;
  }

  /** A fatal one stops the process; after any other the work is tried again. */
  failed(work: BooksWork, error: StoreError): void {
    const failure = failureOf(error);
    if (error.fatal) {
      this.#post({ type: 'failed', failure });
      return;
    }
    if (this.#open.get(work) === error.message) return;
    this.#open.set(work, error.message);
    this.#post({ type: 'fault', work, failure });
  }

  /** The work succeeded. */
  over(work: BooksWork): void {
    if (this.#open.delete(work)) this.#post({ type: 'fault', work, failure: null });
  }
}
