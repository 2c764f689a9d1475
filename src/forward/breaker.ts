import type { BreakerRules } from './targets.ts';

/**
 * The circuit breaker of one target: after failures in a row it rests, then one row probes it. Kept in the process: each has its
 * own. Time is passed in, in milliseconds of a clock that does not jump.
 */
export class TargetBreaker {
  readonly #rules: BreakerRules;
  #failures = 0;
  #restsUntilMs: number | null = null;
  #probing = false;

  constructor(rules: BreakerRules) {
    this.#rules = rules;
  }

  /** How many rows may leave now, of `free` slots: all, none while it rests, then one. */
  allowed(free: number, nowMs: number): number {
    if (this.#restsUntilMs === null) return free;
    return this.#probing || nowMs < this.#restsUntilMs ? 0 : Math.min(free, 1);
  }

  /** Milliseconds until a row may probe; null while it does not rest. */
  restMs(nowMs: number): number | null {
    return this.#restsUntilMs === null ? null : Math.max(0, this.#restsUntilMs - nowMs);
  }

  /** An attempt begins. */
  began(): void {
    this.#probing = this.#restsUntilMs !== null;
  }

  worked(): void {
    this.reset();
  }

  failed(nowMs: number): void {
    this.#failures++;
    const isProbe = this.#probing;
    this.#probing = false;
    if (this.#failures < this.#rules.failures) return;
    // Attempts that were under way when it began to rest must not lengthen the rest.
    if (this.#restsUntilMs === null || isProbe) this.#restsUntilMs = nowMs + this.#rules.restMs;
  }

  /** The attempt ended without a result of the target: another row may probe. */
  ended(): void {
    this.#probing = false;
  }

  /** A person asked to try at once. */
  reset(): void {
    this.#failures = 0;
    this.#restsUntilMs = null;
    this.#probing = false;
  }
}
