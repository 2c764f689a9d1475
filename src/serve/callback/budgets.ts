import { isIPv6 } from 'node:net';

const MINUTE_MS = 60_000;
/** Addresses remembered at once. Whoever has more of them meets the budget that all share. */
const MOST_ADDRESSES = 10_000;

/** So many a minute, all at once or spread out: a bucket that refills steadily. */
export class Budget {
  readonly #perMinute: number;
  #left: number;
  #atMs: number;

  constructor(perMinute: number, nowMs: number) {
    this.#perMinute = perMinute;
    this.#left = perMinute;
    this.#atMs = nowMs;
  }

  /** Whether one more is allowed now; if so, it is taken. */
  take(nowMs: number): boolean {
    // A clock that was set back refills nothing, and empties nothing.
    const passedMs = Math.max(0, nowMs - this.#atMs);
    this.#atMs = nowMs;
    this.#left = Math.min(this.#perMinute, this.#left + (passedMs * this.#perMinute) / MINUTE_MS);
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

/** A budget for each address, in bounded memory: the one not seen for longest is forgotten first. */
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

  /** Addresses remembered. */
  get size(): number {
    return this.#budgets.size;
  }
}

/** One customer has one IPv4 address, or at least a whole /64 of IPv6 ones, which count as one. */
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
