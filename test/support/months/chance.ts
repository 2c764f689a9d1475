import { seededRandom } from '../random.ts';

/** What chance gives to a world: choices, names, and amounts of which no two are alike. */
export class Chance {
  readonly #random: () => number;
  #names = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** A whole number of `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  /** One of them. */
  of<One>(all: readonly One[]): One {
    return all[this.between(0, all.length - 1)] as One;
  }

  /** True once in so many times. */
  once(times: number): boolean {
    return this.between(1, times) === 1;
  }

  shuffled<One>(all: readonly One[]): One[] {
    const keyed = all.map((one) => [this.#random(), one] as const);
    return keyed.sort(([one], [other]) => one - other).map(([, one]) => one);
  }

  name(prefix: string): string {
    this.#names += 1;
    return `${prefix}-${String(this.#names).padStart(4, '0')}`;
  }

  /** An amount that differs from each other one by more than any charge or fault. */
  amount(): bigint {
    this.#names += 1;
    return BigInt(this.#names) * 100_000n + BigInt(this.between(0, 9_999));
  }
}
