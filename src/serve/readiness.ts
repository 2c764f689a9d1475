import type { Clock } from '../time/clock.ts';

/** Log lines of one fault per minute; a full disk must not be filled further by its own complaints. */
const LINES_PER_MINUTE = 5;
const MINUTE_MS = 60_000;
/** So long after a delivery that could not be kept nobody should send more here, unless one was kept since. */
const RECOVERY_MS = 10_000;

/** What the store could not do lately: enough to know whether to log once more, and whether to call ourselves ready. */
export class Trouble {
  readonly #clock: Clock;
  readonly #lines = new Map<string, { minute: number; count: number }>();
  #last: { readonly fault: string; readonly atMs: number } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A delivery was answered 503 or 500. Returns whether this one is worth a log line. */
  add(fault: string): boolean {
    const atMs = this.#clock.nowMs();
    this.#last = { fault, atMs };
    const minute = Math.floor(atMs / MINUTE_MS);
    const known = this.#lines.get(fault);
    const count = known?.minute === minute ? known.count + 1 : 1;
    this.#lines.set(fault, { minute, count });
    return count <= LINES_PER_MINUTE;
  }

  /** A delivery was kept. */
  over(): void {
    this.#last = null;
  }

  /** Why no delivery should be sent here now, or null. */
  reason(): string | null {
    if (this.#last === null || this.#clock.nowMs() - this.#last.atMs > RECOVERY_MS) return null;
    return `deliveries are not kept: ${this.#last.fault}`;
  }
}
