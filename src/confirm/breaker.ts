/** When to pause all checks. */
export interface BreakerRules {
  /** Failures of the service in a row that open the breaker. */
  readonly failures: number;
  /** The first pause; it doubles with each probe that fails. */
  readonly pauseMs: number;
  readonly longestPauseMs: number;
}

export const STANDARD_BREAKER: BreakerRules = { failures: 5, pauseMs: 2_000, longestPauseMs: 60_000 };

/**
 * A circuit breaker: closed while the service answers, open after failures in a row; while it is open one check at a time
 * probes whether the service is back. A sweep may pass it to the next one, so that a pause outlasts the sweep. Time is
 * passed in, in milliseconds.
 */
export class Breaker {
  readonly #rules: BreakerRules;
  #failures = 0;
  #pauseMs: number;
  #openUntilMs: number | null = null;
  /** Length of the present pause when it began. */
  #lengthMs = 0;
  #probing = false;
  #openedAtMs: number | null = null;

  constructor(rules: BreakerRules) {
    this.#rules = rules;
    this.#pauseMs = rules.pauseMs;
  }

  /** How long to wait before a check; 0: send it now. While the breaker is open, the caller that gets 0 is the probe. */
  waitMs(nowMs: number): number {
    if (this.#openUntilMs === null) return 0;
    // A clock that was set back moves the pause with it; else no check would be sent until it has caught up.
    this.#openUntilMs = Math.min(this.#openUntilMs, nowMs + this.#lengthMs);
    const leftMs = this.#openUntilMs - nowMs;
    if (leftMs > 0) return leftMs;
    if (this.#probing) return this.#rules.pauseMs;
    this.#probing = true;
    return 0;
  }

  /** The service answered. */
  worked(): void {
    this.#failures = 0;
    this.#pauseMs = this.#rules.pauseMs;
    this.#openUntilMs = null;
    this.#openedAtMs = null;
    this.#probing = false;
  }

  /** The service failed, or required a pause of `wantedMs` (Retry-After). */
  failed(nowMs: number, wantedMs: number | null = null): void {
    this.#failures++;
    const wasProbe = this.#probing;
    this.#probing = false;
    if (wantedMs === null && this.#failures < this.#rules.failures) return;
    // Checks that were under way when it opened must not lengthen the pause.
    if (this.#openUntilMs !== null && !wasProbe && wantedMs === null) return;
    if (wasProbe) this.#pauseMs = Math.min(this.#pauseMs * 2, this.#rules.longestPauseMs);
    const untilMs = nowMs + Math.max(this.#pauseMs, wantedMs ?? 0);
    this.#openUntilMs = Math.max(untilMs, this.#openUntilMs ?? 0);
    this.#lengthMs = this.#openUntilMs - nowMs;
    this.#openedAtMs ??= nowMs;
  }

  /** The probe ended without a result: another caller may probe. */
  endProbe(): void {
    this.#probing = false;
  }

  /** How long the outage has lasted; 0 while closed. */
  downMs(nowMs: number): number {
    return this.#openedAtMs === null ? 0 : nowMs - this.#openedAtMs;
  }
}
