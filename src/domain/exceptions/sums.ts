import { type Amount, addAmounts, amountOfMinor, formatAmount, parseAmount, ZERO } from '../money/amount.ts';

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

const FIELDS = ['ours', 'theirs', 'variance', 'effect'] as const;
type FieldSums = Readonly<Record<(typeof FIELDS)[number], Sum>>;

/** The exact sums of exceptions, by currency: of the values that are amounts. */
export class ExceptionSums {
  readonly #sums = new Map<string | null, { count: number; readonly fields: FieldSums }>();

  add(one: SummedException): void {
    const known = this.#sums.get(one.currency) ?? { count: 0, fields: newSums() };
    known.count++;
    for (const field of FIELDS) {
      const value = one[field];
      if (value !== null && MONEY.test(value)) known.fields[field].add(value);
    }
    this.#sums.set(one.currency, known);
  }

  totals(): ExceptionTotal[] {
    const ordered = [...this.#sums].sort(([one], [other]) => ((one ?? '') < (other ?? '') ? -1 : 1));
    return ordered.map(
      ([
        currency,
        {
          count,
          fields: { ours, theirs, variance, effect },
        },
      ]) => ({
        ...{ currency, count, ours: ours.text, theirs: theirs.text, variance: variance.text, effect: effect.text },
      }),
    );
  }
}

function newSums(): FieldSums {
  return { ours: new Sum(), theirs: new Sum(), variance: new Sum(), effect: new Sum() };
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

  /** The sum as decimal text. */
  get text(): string {
    this.#carry();
    return formatAmount(this.#rest);
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
