import { isIPv6 } from 'node:net';
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

/** The address that a budget counts: an IPv4 address, or the /64 of an IPv6 one, because one customer has all of it. */
export function addressGroup(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return address;
  const [head = '', tail] = bare.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? 0 : tail.split(':').length + (tail.includes('.') ? 1 : 0);
    while (groups.length + after < 8 && groups.length < 4) groups.push('0');
    if (groups.length < 4) groups.push(...tail.split(':').slice(0, 4 - groups.length));
  }
  const network = groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}
