/** Over a window this long it is counted how much arrives. */
const WINDOW_MS = 50;
/**
 * Deliveries in a window from which on it is a flood: 15,000 a second, well above the 10,000 that applying keeps up with.
 * Counted rather than timed: on a busy disk even a few deliveries fill the writer's time, and applying must not starve.
 */
const FLOOD = 750;

/**
 * Keeping comes before applying: in a flood applying gets one batch per window, and as many as it likes otherwise.
 * Times are milliseconds of a monotonic clock.
 */
export class ApplyPace {
  #windowStartMs = 0;
  #kept = 0;
  #flooded = false;
  #appliedInWindow = false;

  kept(deliveries: number, nowMs: number): void {
    this.#turn(nowMs);
    this.#kept += deliveries;
  }

  /** How long applying should wait before its next batch; 0 to go on. */
  restMs(nowMs: number): number {
    this.#turn(nowMs);
    const flooded = this.#flooded || this.#kept > FLOOD;
    return flooded && this.#appliedInWindow ? Math.max(1, this.#windowStartMs + WINDOW_MS - nowMs) : 0;
  }

  applied(): void {
    this.#appliedInWindow = true;
  }

  #turn(nowMs: number): void {
    const elapsed = nowMs - this.#windowStartMs;
    if (elapsed < WINDOW_MS) return;
    this.#flooded = elapsed < 2 * WINDOW_MS && this.#kept > FLOOD;
    this.#windowStartMs = nowMs;
    this.#kept = 0;
    this.#appliedInWindow = false;
  }
}
