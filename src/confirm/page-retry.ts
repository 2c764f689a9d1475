import { RefusedError, ServiceError } from '../service/errors/service-error.ts';
import { RateLimitedError, RedirectRefusedError, UnreadableAnswerError } from '../service/errors/transport-errors.ts';
import type { CheckParts } from './parts.ts';

/** Wait before the first retry of a page, in milliseconds; it doubles with each one. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Longest wait for the first page: a walk that has not begun loses little, and a mistyped address shows soon. */
const FIRST_PAGE_MS = 10_000;

/**
 * The one retry policy for pages of a walk: thousands of pages must not be read again because one page met a short
 * fault. The client sends each request for a page once. Waits grow, up to `giveUpMs` in all for one page. A fault that does
 * not pass, such as a refused key, ends the walk at once.
 */
export class PageRetry {
  readonly #parts: Pick<CheckParts, 'random' | 'signal' | 'sleep'>;
  readonly #giveUpMs: number;
  readonly #onWait: (problem: string, waitMs: number) => void;
  #begun = false;
  /** Time waited for the current page. */
  #waitedMs = 0;
  #nextWaitMs = FIRST_WAIT_MS;
  #failures = 0;

  constructor(
    parts: Pick<CheckParts, 'random' | 'signal' | 'sleep'>,
    giveUpMs: number,
    onWait: (problem: string, waitMs: number) => void,
  ) {
    this.#parts = parts;
    this.#giveUpMs = giveUpMs;
    this.#onWait = onWait;
  }

  /** How often the current page was fetched and did not come. */
  get failures(): number {
    return this.#failures;
  }

  /** A page came. */
  worked(): void {
    this.#begun = true;
    this.#waitedMs = 0;
    this.#nextWaitMs = FIRST_WAIT_MS;
    this.#failures = 0;
  }

  /** Waits, and returns whether to fetch the page again. */
  async again(error: unknown): Promise<boolean> {
    const { random, signal, sleep } = this.#parts;
    this.#failures++;
    if (signal.aborted || !this.#mayPass(error)) return false;
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
  /**
   * Whether another answer may come: a page that cannot be read, a redirect or, once pages came, a 404 are as often those of a
   * proxy before the service (decision 106).
   */
  #mayPass(error: unknown): error is ServiceError {
    if (error instanceof RedirectRefusedError) return true;
    // A page beyond the limit would cost the whole limit each time.
    if (error instanceof UnreadableAnswerError) return error.reason !== 'too_large';
    if (error instanceof RefusedError && error.httpStatus === 404) return this.#begun;
    return error instanceof ServiceError && error.kind === 'unavailable';
  }
}
