/**
 * Applying's share of the writer's time while deliveries arrive. Senders who wait for each answer send less while we apply,
 * so a larger share costs throughput; with 0.4 the backlog grew at 5,000 events a second on a slow machine (measured).
 */
export const APPLY_SHARE = 0.5;
/** Most unused time that is saved, in milliseconds: after a pause steps of at most half of it run without a wait. */
export const SAVED_MS = 10;
/** Deliveries per window above which we count as receiving (500/s). */
const WINDOW_MS = 50;
const RECEIVING = 25;
/** Pause of applying after a fault (disk full, busy). */
const FAULT_PAUSE_MS = 1_000;

/**
 * Decides when to apply. While deliveries arrive, a step of t ms uses up t / `APPLY_SHARE` ms, and the next step waits until
 * they have passed; otherwise applying goes on without a pause. Times are milliseconds of a monotonic clock.
 */
export class ApplyPace {
  #windowStartMs = 0;
  #kept = 0;
  #received = false;
  /** The share is used up until then. */
  #usedUntilMs = Number.NEGATIVE_INFINITY;
  #faultPauseUntilMs = Number.NEGATIVE_INFINITY;

  kept(deliveries: number, nowMs: number): void {
    this.#turn(nowMs);
    this.#kept += deliveries;
  }

  /** For each step. A step that did not have to wait (nothing arrived) begins with nothing used up. */
  applied(startMs: number, endMs: number): void {
    const fromMs = Math.min(Math.max(this.#usedUntilMs, startMs - SAVED_MS), startMs);
    this.#usedUntilMs = fromMs + (endMs - startMs) / APPLY_SHARE;
  }

  failed(nowMs: number): void {
    this.#faultPauseUntilMs = nowMs + FAULT_PAUSE_MS;
  }

  /** Milliseconds until the next apply step; 0 for now. */
  pauseMs(nowMs: number): number {
    const sharePauseMs = this.isReceiving(nowMs) ? this.#usedUntilMs - nowMs : 0;
    return Math.max(0, sharePauseMs, this.#faultPauseUntilMs - nowMs);
  }

  /** Whether deliveries arrive in numbers. */
  isReceiving(nowMs: number): boolean {
    this.#turn(nowMs);
    return this.#received || this.#kept > RECEIVING;
  }

  #turn(nowMs: number): void {
    const elapsed = nowMs - this.#windowStartMs;
    if (elapsed < WINDOW_MS) return;
    this.#received = elapsed < 2 * WINDOW_MS && this.#kept > RECEIVING;
    this.#windowStartMs = nowMs;
    this.#kept = 0;
  }
}
