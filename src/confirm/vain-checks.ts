import type { ConfirmedStatus } from '../store/checks.ts';

interface VainCheck {
  readonly atMs: number;
  readonly known: ConfirmedStatus;
}

/**
 * The results of the latest checks without a usable answer, by name: a customer who reloads the page meanwhile causes no
 * further check. The budget of checks bounds how many there are.
 */
export class VainChecks {
  readonly #keptMs: number;
  readonly #checks = new Map<string, VainCheck>();

  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /** Keeps the result of a check, and drops those that are too old. */
  keep(name: string, known: ConfirmedStatus, nowMs: number): void {
    for (const [old, { atMs }] of this.#checks) if (!this.#isRecent(atMs, nowMs)) this.#checks.delete(old);
    this.#checks.set(name, { atMs: nowMs, known });
  }

  /** The result of a recent check; undefined without one. */
  recent(name: string, nowMs: number): ConfirmedStatus | undefined {
    const check = this.#checks.get(name);
    return check !== undefined && this.#isRecent(check.atMs, nowMs) ? check.known : undefined;
  }

  /** A time in the future, after the clock was set back, is not recent. */
  #isRecent(atMs: number, nowMs: number): boolean {
    return nowMs >= atMs && nowMs - atMs < this.#keptMs;
  }
}
