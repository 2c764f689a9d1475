import { addressGroup } from '../../receive/address-group.ts';
import { MINUTE_MS } from '../../time/clock.ts';

/** Most addresses with a budget of their own at once; visits from more are limited by the shared budget. */
const MOST_ADDRESSES = 10_000;

/** A token bucket: `perMinute` at once, refilled steadily. */
export class Budget {
  readonly #perMinute: number;
  #left: number;
  #atMs: number;

  constructor(perMinute: number, nowMs: number) {
    this.#perMinute = perMinute;
    this.#left = perMinute;
    this.#atMs = nowMs;
  }

  /** Takes one if one is left; returns whether it did. */
  take(nowMs: number): boolean {
    // A clock that was set back changes nothing.
    const passedMs = Math.max(0, nowMs - this.#atMs);
    this.#atMs = nowMs;
    this.#left = Math.min(this.#perMinute, this.#left + (passedMs * this.#perMinute) / MINUTE_MS);
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** Gives back one that was taken and not used. */
  giveBack(): void {
    this.#left = Math.min(this.#perMinute, this.#left + 1);
  }
}

/** One budget per address, in bounded memory: the least recently used is dropped first. */
export class AddressBudgets {
  readonly #perMinute: number;
  readonly #budgets = new Map<string, Budget>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  take(address: string, nowMs: number): boolean {
    const group = addressGroup(address);
    const budget = this.#budgets.get(group) ?? new Budget(this.#perMinute, nowMs);
    this.#budgets.delete(group);
    this.#budgets.set(group, budget);
    if (this.#budgets.size > MOST_ADDRESSES) this.#budgets.delete(this.#budgets.keys().next().value ?? '');
    return budget.take(nowMs);
  }

  /** Number of addresses with a budget. */
  get size(): number {
    return this.#budgets.size;
  }
}
