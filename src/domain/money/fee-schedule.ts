import type { FeeRule, Rounding } from '../reconciling/rules.ts';
import type { RecordKind } from '../records/lifecycle.ts';
import { compareTexts } from '../records/observation.ts';
import { magnitude, parseAmount } from './amount.ts';

/*
 * What the service should charge, by a dated schedule. Amounts are minor units, without direction; per cents are exact decimal text.
 * Computed with whole numbers only, and rounded once.
 */

/** What a charge must say for its rule to be found. */
export interface Charged {
  readonly kind: RecordKind;
  /** Null: not known; only a rule of every channel holds for it. */
  readonly channel: string | null;
  readonly currency: string;
  /** `yyyy-MM-dd`. */
  readonly day: string;
}

/** The figures of one rule. */
export interface Tariff {
  readonly rule: FeeRule;
  /** The fee on an amount, before tax: per cent and fixed part, rounded, then within minimum and cap. */
  readonly feeOn: (amount: bigint) => bigint;
  /** The tax on a fee, rounded half up; null: the rule does not say tax. */
  readonly taxOn: (fee: bigint) => bigint | null;
  /** The tax inside a fee on an amount that states none apart; null: the fee is not that of the rule with its tax. */
  readonly taxInside: (fee: bigint, amount: bigint) => bigint | null;
  /** The duty that the merchant pays on an amount: 0 when the customer bears it; null: the rule does not say duty. */
  readonly dutyOn: (amount: bigint) => bigint | null;
}

/** Returns the search for the tariff of a charge: that of its channel on its day, else that of every channel, else null. */
export function feeSchedule(rules: readonly FeeRule[]): (charged: Charged) => Tariff | null {
  const tariffs = new Map<string, Tariff[]>();
  for (const rule of rules) {
    const key = keyOf(rule.kind, rule.currency, rule.channel);
    tariffs.set(key, [...(tariffs.get(key) ?? []), tariffOf(rule)]);
  }
  const on = (day: string, key: string) =>
    tariffs.get(key)?.find(({ rule }) => rule.from <= day && (rule.to === null || day <= rule.to));
  return ({ kind, channel, currency, day }) =>
    on(day, keyOf(kind, currency, channel)) ?? on(day, keyOf(kind, currency, null)) ?? null;
}

/** Returns the first pair of rules of one kind, channel and currency that share a day, as their places in the list. */
export function overlappingRules(rules: readonly Span[]): { readonly first: number; readonly second: number }[] {
  const ordered = rules
    .map((rule, place) => ({ ...rule, place, key: keyOf(rule.kind, rule.currency, rule.channel) }))
    .toSorted((one, other) => compareTexts(one.key, other.key) || compareTexts(one.from, other.from));
  const overlapping: { first: number; second: number }[] = [];
  let longest = ordered[0];
  for (const rule of ordered.slice(1)) {
    if (longest === undefined || rule.key !== longest.key) longest = rule;
    else {
      if (longest.to === null || rule.from <= longest.to)
        overlapping.push({ first: Math.min(longest.place, rule.place), second: Math.max(longest.place, rule.place) });
      if (longest.to !== null && (rule.to === null || rule.to > longest.to)) longest = rule;
    }
  }
  return overlapping;
}

type Span = Pick<FeeRule, 'from' | 'to' | 'kind' | 'channel' | 'currency'>;

const keyOf = (kind: string, currency: string, channel: string | null): string =>
  JSON.stringify([kind, currency, channel]);

function tariffOf(rule: FeeRule): Tariff {
  const { fixed, minimum, cap, duty, rounding } = rule;
  const rate = perCent(rule.percent);
  const tax = rule.tax === null ? null : perCent(rule.tax.percent);
  const taxOn = (fee: bigint) => (tax === null ? null : rounded(fee * tax.numerator, tax.denominator, 'half_up'));
  const feeOn = (amount: bigint) => {
    // The fixed part is inside: half_even looks at the whole fee.
    const fee = rounded(amount * rate.numerator + fixed * rate.denominator, rate.denominator, rounding);
    const least = minimum !== null && fee < minimum ? minimum : fee;
    return cap !== null && least > cap ? cap : least;
  };
  return {
    rule,
    feeOn,
    taxOn,
    taxInside(fee, amount) {
      if (fee === 0n) return 0n;
      const dueFee = feeOn(amount);
      const dueTax = taxOn(dueFee);
      if (dueTax === null) return 0n;
      return fee === dueFee + dueTax ? dueTax : null;
    },
    dutyOn(amount) {
      if (duty === null) return null;
      return duty.bearer === 'merchant' && amount >= duty.threshold ? duty.amount : 0n;
    },
  };
}

function perCent(text: string): { readonly numerator: bigint; readonly denominator: bigint } {
  const { units, scale } = parseAmount(text);
  return { numerator: units, denominator: 100n * 10n ** BigInt(scale) };
}

/** Returns the nearest whole number; what lies between two goes away from zero, or to the even one. */
function rounded(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const size = magnitude(numerator);
  const [whole, rest] = [size / denominator, size % denominator];
  const isHalf = rest * 2n === denominator;
  const isUp = isHalf ? rounding === 'half_up' || whole % 2n === 1n : rest * 2n > denominator;
  const result = isUp ? whole + 1n : whole;
  return numerator < 0n ? -result : result;
}
