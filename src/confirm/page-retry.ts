import {
  NoAnswerError,
  RateLimitedError,
  ServiceFailedError,
  ServiceUnreachableError,
} from '../service/errors/transport-errors.ts';
import type { AskingParts } from './parts.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** For the first page: a walk that has not begun loses little by ending, and whoever mistyped an address hears of it. */
const FIRST_PAGE_MS = 10_000;

/**
 * Whether a page that failed is fetched again: a walk of thousands of pages must not begin anew because one of them met a
 * busy moment. Waits grow, up to `giveUpMs` in all for one page; whatever is no passing fault ends it at once.
 */
export class PagePatience {
  readonly #parts: Pick<AskingParts, 'random' | 'signal' | 'sleep'>;
  readonly #giveUpMs: number;
  readonly #onWait: (problem: string, waitMs: number) => void;
  #begun = false;
  /** For the present page. */
  #waitedMs = 0;
  #nextWaitMs = FIRST_WAIT_MS;

  constructor(
    parts: Pick<AskingParts, 'random' | 'signal' | 'sleep'>,
    giveUpMs: number,
    onWait: (problem: string, waitMs: number) => void,
  ) {
    this.#parts = parts;
    this.#giveUpMs = giveUpMs;
    this.#onWait = onWait;
  }

  /** A page came. */
  worked(): void {
    this.#begun = true;
    this.#waitedMs = 0;
    this.#nextWaitMs = FIRST_WAIT_MS;
  }

  /** Waits as long as is fair, and says whether to fetch the page again. */
  async again(error: unknown): Promise<boolean> {
    const { random, signal, sleep } = this.#parts;
    if (signal.aborted || !isPassing(error)) return false;
    const wantedMs = error instanceof RateLimitedError ? (error.retryAfterMs ?? 0) : 0;
    const waitMs = Math.max(wantedMs, Math.round(this.#nextWaitMs * (1 + random())));
    const giveUpMs = this.#begun ? this.#giveUpMs : Math.min(this.#giveUpMs, FIRST_PAGE_MS);
    if (this.#waitedMs + waitMs > giveUpMs) return false;
    this.#waitedMs += waitMs;
    this.#nextWaitMs = Math.min(this.#nextWaitMs * 2, LONGEST_WAIT_MS);
    this.#onWait(error.message, waitMs);
    await sleep(waitMs, signal);
    return !signal.aborted;
  }
}

function isPassing(
  error: unknown,
): error is RateLimitedError | ServiceFailedError | NoAnswerError | ServiceUnreachableError {
  return (
    error instanceof RateLimitedError ||
    error instanceof ServiceFailedError ||
    error instanceof NoAnswerError ||
    error instanceof ServiceUnreachableError
  );
}
