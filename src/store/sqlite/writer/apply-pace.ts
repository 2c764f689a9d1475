import { FloodWatch } from './flood-watch.ts';

/** In a flood there is one apply step per window. */
const WINDOW_MS = 50;
/** Deliveries per 50 ms window above which we count as receiving (500/s). */
const RECEIVING = 25;
/** Records per apply step: bounds how long a delivery waits for the step. */
const FEWEST_RECORDS = 32;
const MOST_RECORDS = 256;
/** Pause of applying after a fault (disk full, busy). */
const FAULT_PAUSE_MS = 1_000;

/**
 * Decides when to apply, so that keeping comes first: in a flood one step per window, otherwise without a pause. Times are
 * milliseconds of a monotonic clock.
 */
export class ApplyPace {
  readonly #flood = new FloodWatch();
  #windowStartMs = 0;
  #kept = 0;
  #received = false;
  #appliedInWindow = false;
  #faultPauseUntilMs = 0;
  #records = FEWEST_RECORDS;

  /** Records per apply step: twice the last arrivals, so that a backlog shrinks on a slow disk too. */
  get records(): number {
    return this.#records;
  }

  kept(deliveries: number, nowMs: number): void {
    this.#turn(nowMs);
    this.#kept += deliveries;
    if (this.#received && deliveries > 0) this.#flood.kept(deliveries, nowMs);
    this.#records = Math.min(Math.max(2 * deliveries, FEWEST_RECORDS), MOST_RECORDS);
  }

  applied(): void {
    this.#appliedInWindow = true;
  }

  failed(nowMs: number): void {
    this.#faultPauseUntilMs = nowMs + FAULT_PAUSE_MS;
  }

  /** Milliseconds until the next apply step; 0 for now. */
  pauseMs(nowMs: number): number {
    if (nowMs < this.#faultPauseUntilMs) return this.#faultPauseUntilMs - nowMs;
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
