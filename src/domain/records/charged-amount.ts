import {
  type Amount,
  addAmounts,
  amountOfMinor,
  compareAmounts,
  formatAmount,
  isAmount,
  isNegative,
  subtractAmounts,
  ZERO,
} from '../money/amount.ts';
import type { FieldValue } from './fields.ts';

/** What an observation about a collection says of the money that was charged. */
export interface Charge {
  /** The amount charged, with or without the fee (decision 48). */
  readonly charged: Amount;
  /** What is left without the fee; null without a fee, or with one that cannot be right. */
  readonly net: Amount | null;
  /** The fee as it was stated, where it cannot be right; else null. */
  readonly oddFee: Amount | null;
}

/**
 * Returns the charge in two details of a collection; null without a charged amount. A fee counts only from zero to less than
 * half of the charge: a real one is a few per cent, and at most a flat sum on a small payment. With a negative or a large fee
 * "charge minus fee" could be any amount, also the expected one. Pure.
 */
export function chargeOf({ amount = null, fees = null }: Readonly<Record<string, FieldValue>>): Charge | null {
  if (!isAmount(amount)) return null;
  if (!isAmount(fees)) return { charged: amount, net: null, oddFee: null };
  const isPlausible = !isNegative(fees) && compareAmounts(addAmounts(fees, fees), amount) < 0;
  return isPlausible || compareAmounts(fees, ZERO) === 0
    ? { charged: amount, net: subtractAmounts(amount, fees), oddFee: null }
    : { charged: amount, net: null, oddFee: fees };
}

/** Whether a collection of this charge can be the one over `wanted`: with or without its fee (decision 48). */
export function chargeAgrees({ charged, net }: Charge, wanted: Amount): boolean {
  return compareAmounts(charged, wanted) === 0 || (net !== null && compareAmounts(net, wanted) === 0);
}

const MINOR_UNIT = amountOfMinor(1n);

/**
 * Whether less was charged than requested: the charge is at least one minor unit below it, also with its fee added, because
 * it may be the sum without the fee. Fees have more decimals than charges: a smaller difference is rounding.
 */
export function isUnderpaid({ charged, net }: Charge, requested: Amount): boolean {
  const fee = net === null ? ZERO : subtractAmounts(charged, net);
  return compareAmounts(addAmounts(addAmounts(charged, fee), MINOR_UNIT), requested) <= 0;
}

/** Returns both amounts of an underpaid collection, and its fee: `40.00 requested, 0.40 charged (fees 0.00)`. */
export function underpaidText({ charged, net, oddFee }: Charge, requested: Amount): string {
  const fee = oddFee ?? (net === null ? null : subtractAmounts(charged, net));
  const fees = fee === null ? 'no fees stated' : `fees ${formatAmount(fee)}`;
  const odd = oddFee === null ? '' : ', which cannot be right';
  return `${formatAmount(requested)} requested, ${formatAmount(charged)} charged (${fees}${odd})`;
}
