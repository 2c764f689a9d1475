import { type Clock, MINUTE_MS } from '../time/clock.ts';

/** Offset from the service's clock that is reported. Durations never depend on it: they use another clock. */
export const MOST_CLOCK_OFFSET_MS = 30_000;
const TIMEOUT_MS = 5_000;
/** The service is asked for its time this often. */
const ASK_MS = 15 * MINUTE_MS;

/**
 * Returns how far this machine's clock is ahead of the service's, by the Date header of a response; null when it sent none. The header
 * has whole seconds, so less than a second means nothing.
 *
 * @throws the error of the connection
 */
export async function clockOffsetMs(baseUrl: string, clock: Clock): Promise<number | null> {
  const startMs = clock.nowMs();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(baseUrl, { method: 'HEAD', redirect: 'manual', signal });
  const middleMs = (startMs + clock.nowMs()) / 2;
  const date = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(date) ? null : middleMs - date;
}

export function isClockOff(offsetMs: number): boolean {
  return Math.abs(offsetMs) > MOST_CLOCK_OFFSET_MS;
}

/** The latest known offset; asks the service at most every quarter of an hour. */
export class ClockWatch {
  readonly #measure: typeof clockOffsetMs;
  #offsetMs: number | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;

  /** A test measures in its own way. */
  constructor(measure = clockOffsetMs) {
    this.#measure = measure;
  }

  /** The offset known now, without asking; null while it is not known. */
  get offsetMs(): number | null {
    return this.#offsetMs;
  }

  /** Resolves to null when no service is configured, or it does not say. */
  async look(baseUrl: string | null, clock: Clock): Promise<number | null> {
    if (baseUrl === null || performance.now() - this.#askedAt < ASK_MS) return this.#offsetMs;
    this.#askedAt = performance.now();
    try {
      this.#offsetMs = await this.#measure(baseUrl, clock);
    } catch {
      this.#offsetMs = null; // an outage of the service says nothing about our clock
    }
    return this.#offsetMs;
  }
}
