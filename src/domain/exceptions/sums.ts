import { type Amount, addAmounts, amountOfMinor, formatAmount, parseAmount, ZERO } from '../amount.ts';

/** One row per currency, in their order. Decimal text. */
export interface ExceptionTotal {
  readonly currency: string | null;
  readonly count: number;
  readonly ours: string;
  readonly theirs: string;
  readonly variance: string;
  readonly effect: string;
}

export interface SummedException {
  readonly currency: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
  readonly variance: string | null;
  readonly effect: string | null;
}

/** The exact sums of exceptions, by currency: of the values that are amounts. */
export class ExceptionSums {
  readonly #sums = new Map<string | null, { count: number; readonly sums: readonly Sum[] }>();

  add({ currency, ours, theirs, variance, effect }: SummedException): void {
    const known = this.#sums.get(currency) ?? { count: 0, sums: [new Sum(), new Sum(), new Sum(), new Sum()] };
    known.count++;
    for (const [index, value] of [ours, theirs, variance, effect].entries()) {
      if (value !== null && MONEY.test(value)) known.sums[index]?.add(value);
    }
    this.#sums.set(currency, known);
  }

  totals(): ExceptionTotal[] {
    const ordered = [...this.#sums].sort(([one], [other]) => ((one ?? '') < (other ?? '') ? -1 : 1));
    return ordered.map(([currency, { count, sums }]) => {
      const [ours = '', theirs = '', variance = '', effect = ''] = sums.map((sum) => formatAmount(sum.total));
      return { currency, count, ours, theirs, variance, effect };
    });
  }
}

/** An exact sum of decimal texts. Those with two decimals that a float holds exactly are added up as whole numbers, ten times as fast. */
class Sum {
  #minor = 0;
  #rest: Amount = ZERO;

  add(text: string): void {
    if (text.length <= SAFE_LENGTH && text.at(-3) === '.') {
      this.#minor += Number(text.slice(0, -3) + text.slice(-2));
      if (Math.abs(this.#minor) > SAFE_SUM) this.#carry();
    } else this.#rest = addAmounts(this.#rest, parseAmount(text));
  }

  get total(): Amount {
    this.#carry();
    return this.#rest;
  }

  #carry(): void {
    this.#rest = addAmounts(this.#rest, amountOfMinor(BigInt(this.#minor)));
    this.#minor = 0;
  }
}

/** Twelve digits of minor units; the sum stays below 2^53. */
const SAFE_LENGTH = 14;
const SAFE_SUM = 8_000_000_000_000_000;

/** Amounts have decimals; a count, a status or a currency is none. */
const MONEY = /^-?\d{1,18}\.\d{2,8}$/;
