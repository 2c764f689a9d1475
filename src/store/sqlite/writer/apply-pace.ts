import { FloodWatch } from './flood-watch.ts';

/** In a flood applying gets one go per window. */
const WINDOW_MS = 50;
/** From so many deliveries in a window on somebody waits for us: 500 a second. */
const RECEIVING = 25;
/** Records moved at one go, between two looks at what has arrived: how long a delivery may have to wait for it. */
const FEWEST_RECORDS = 32;
const MOST_RECORDS = 256;
/** After a fault (disk full, busy) applying rests this long. */
const FAULT_REST_MS = 1_000;

/**
 * Keeping comes before applying: in a flood applying gets one go per window, and as many as it likes otherwise.
 * Times are milliseconds of a monotonic clock.
 */
export class ApplyPace {
  readonly #flood = new FloodWatch();
  #windowStartMs = 0;
  #kept = 0;
  #received = false;
  #appliedInWindow = false;
  #faultRestUntilMs = 0;
  #records = FEWEST_RECORDS;

  /** How many records to move at one go: twice what arrived last, so that a backlog shrinks whatever the disk is like. */
  get records(): number {
    return this.#records;
  }

  kept(deliveries: number, nowMs: number): void {
    this.#turn(nowMs);
    this.#kept += deliveries;
    // Only while deliveries arrive: otherwise there is nothing to see.
    if (this.#received && deliveries > 0) this.#flood.kept(deliveries, nowMs);
    this.#records = Math.min(Math.max(2 * deliveries, FEWEST_RECORDS), MOST_RECORDS);
  }

  applied(): void {
    this.#appliedInWindow = true;
  }

  failed(nowMs: number): void {
    this.#faultRestUntilMs = nowMs + FAULT_REST_MS;
  }

  /** How long applying should wait before its next go; 0 to go on. */
  restMs(nowMs: number): number {
    if (nowMs < this.#faultRestUntilMs) return this.#faultRestUntilMs - nowMs;
    this.#turn(nowMs);
    if (this.#received && this.#flood.isProbing(nowMs)) return this.#flood.probeEndMs - nowMs;
    return this.#flood.flooded && this.#appliedInWindow ? Math.max(1, this.#windowStartMs + WINDOW_MS - nowMs) : 0;
  }

  /** Whether deliveries arrive in numbers. */
  isReceiving(nowMs: number): boolean {
    this.#turn(nowMs);
    return this.#received || this.#kept > RECEIVING;
  }

  #turn(nowMs: number): void {
    const elapsed = nowMs - this.#windowStartMs;
    if (elapsed >= WINDOW_MS) {
      if (this.#kept <= RECEIVING) this.#flood.end();
      this.#received = elapsed < 2 * WINDOW_MS && this.#kept > RECEIVING;
      this.#windowStartMs = nowMs;
      this.#kept = 0;
      this.#appliedInWindow = false;
    }
    if (!this.#received) this.#flood.pause();
    this.#flood.turn(nowMs);
  }
}
