import { addressGroup } from '../address-group.ts';

/** The memory of one unfinished body. */
export interface Share {
  /** States how much memory the body takes now; other bodies, or this one, may have to give up theirs. */
  hold(bytes: number): void;
  release(): void;
}

interface Holder {
  bytes: number;
  readonly shares: Set<Held>;
}

interface Held {
  bytes: number;
  readonly address: string;
  readonly giveUp: () => void;
}

/**
 * The memory of all unfinished bodies together. Beyond the limit the largest body of the address that holds the most gives
 * up: an attacker who holds everything loses first, and a small or complete delivery always finds room.
 */
export class BodyMemory {
  readonly #limitBytes: number;
  readonly #holders = new Map<string, Holder>();
  #heldBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Bytes that unfinished bodies take now. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** `giveUp` is called at most once, when the memory was taken back; the share is released then. */
  open(address: string, giveUp: () => void): Share {
    const held: Held = { bytes: 0, address: addressGroup(address), giveUp };
    this.#holderOf(held.address).shares.add(held);
    return {
      hold: (bytes) => this.#hold(held, bytes),
      release: () => this.#release(held),
    };
  }

  #hold(held: Held, bytes: number): void {
    const holder = this.#holders.get(held.address);
    if (holder === undefined || !holder.shares.has(held)) return; // it gave up before
    holder.bytes += bytes - held.bytes;
    this.#heldBytes += bytes - held.bytes;
    held.bytes = bytes;
    while (this.#heldBytes > this.#limitBytes) {
      const largest = this.#largest();
      this.#release(largest);
      largest.giveUp();
    }
  }

  #release(held: Held): void {
    const holder = this.#holders.get(held.address);
    if (holder === undefined || !holder.shares.delete(held)) return;
    holder.bytes -= held.bytes;
    this.#heldBytes -= held.bytes;
    if (holder.shares.size === 0) this.#holders.delete(held.address);
  }

  #holderOf(address: string): Holder {
    const known = this.#holders.get(address);
    if (known !== undefined) return known;
    const holder: Holder = { bytes: 0, shares: new Set() };
    this.#holders.set(address, holder);
    return holder;
  }

  /** Looked for only when memory is short, so that no delivery pays for an order. */
  #largest(): Held {
    const heaviest = largestOf(this.#holders.values());
    return largestOf(heaviest.shares);
  }
}

/** Returns the first of those with the most bytes: among equal ones the oldest. */
function largestOf<Sized extends { readonly bytes: number }>(all: Iterable<Sized>): Sized {
  let largest: Sized | undefined;
  for (const one of all) if (largest === undefined || one.bytes > largest.bytes) largest = one;
  if (largest === undefined) throw new Error('Memory is held, but by no body.');
  return largest;
}
