/** When to stop asking as a whole. */
export interface BreakerRules {
  /** So many failures of the service in a row open it. */
  readonly failures: number;
  /** The first rest; it doubles with each probe that fails. */
  readonly restMs: number;
  readonly longestRestMs: number;
}

export const STANDARD_BREAKER: BreakerRules = { failures: 5, restMs: 2_000, longestRestMs: 60_000 };

/**
 * A circuit breaker: closed while the service answers, open after failures in a row, and then one question at a time
 * probes whether it is back. One sweep may hand it on to the next, so that a rest outlasts the sweep. Pure but for its own
 * state; time is handed in, in milliseconds.
 */
export class Breaker {
  readonly #rules: BreakerRules;
  #failures = 0;
  #restMs: number;
  #openUntilMs: number | null = null;
  /** How long that was when it began. */
  #lengthMs = 0;
  #probing = false;
  #openedAtMs: number | null = null;

  constructor(rules: BreakerRules) {
    this.#rules = rules;
    this.#restMs = rules.restMs;
  }

  /** 0: ask now. Otherwise come back after so long. Whoever got 0 while it is open is the probe. */
  waitMs(nowMs: number): number {
    if (this.#openUntilMs === null) return 0;
    // A clock that was set back takes the rest with it; else nobody would ask until it has caught up.
    this.#openUntilMs = Math.min(this.#openUntilMs, nowMs + this.#lengthMs);
    const restMs = this.#openUntilMs - nowMs;
    if (restMs > 0) return restMs;
    if (this.#probing) return this.#rules.restMs;
    this.#probing = true;
    return 0;
  }

  /** The service answered, whatever it said. */
  worked(): void {
    this.#failures = 0;
    this.#restMs = this.#rules.restMs;
    this.#openUntilMs = null;
    this.#openedAtMs = null;
    this.#probing = false;
  }

  /** The service failed, or asked for a rest of `wantedMs`. */
  failed(nowMs: number, wantedMs: number | null = null): void {
    this.#failures++;
    const wasProbe = this.#probing;
    this.#probing = false;
    if (wantedMs === null && this.#failures < this.#rules.failures) return;
    // Those who were under way when it opened must not lengthen the rest.
    if (this.#openUntilMs !== null && !wasProbe && wantedMs === null) return;
    if (wasProbe) this.#restMs = Math.min(this.#restMs * 2, this.#rules.longestRestMs);
    const untilMs = nowMs + Math.max(this.#restMs, wantedMs ?? 0);
    this.#openUntilMs = Math.max(untilMs, this.#openUntilMs ?? 0);
    this.#lengthMs = this.#openUntilMs - nowMs;
    this.#openedAtMs ??= nowMs;
  }

  /** Whoever was to probe asks no more: somebody else may. */
  endProbe(): void {
    this.#probing = false;
  }

  /** How long the service has failed without one answer; 0 while closed. */
  downMs(nowMs: number): number {
    return this.#openedAtMs === null ? 0 : nowMs - this.#openedAtMs;
  }
}
