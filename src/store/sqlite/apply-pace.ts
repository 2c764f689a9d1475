/** Over a window this long it is counted how much arrives. */
const WINDOW_MS = 50;
/**
 * Deliveries in a window from which on it is a flood: 15,000 a second, well above the 10,000 that applying keeps up with.
 * Counted rather than timed: on a busy disk even a few deliveries fill the writer's time, and applying must not starve.
 */
const FLOOD = 750;
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
  #windowStartMs = 0;
  #kept = 0;
  #flooded = false;
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
    const flooded = this.#flooded || this.#kept > FLOOD;
    return flooded && this.#appliedInWindow ? Math.max(1, this.#windowStartMs + WINDOW_MS - nowMs) : 0;
  }

  /** Whether deliveries arrive in numbers. */
  isReceiving(nowMs: number): boolean {
    this.#turn(nowMs);
    return this.#received || this.#kept > RECEIVING;
  }

  #turn(nowMs: number): void {
    const elapsed = nowMs - this.#windowStartMs;
    if (elapsed < WINDOW_MS) return;
    this.#flooded = elapsed < 2 * WINDOW_MS && this.#kept > FLOOD;
    this.#received = elapsed < 2 * WINDOW_MS && this.#kept > RECEIVING;
    this.#windowStartMs = nowMs;
    this.#kept = 0;
    this.#appliedInWindow = false;
  }
}
