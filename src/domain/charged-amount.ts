import { type Amount, addAmounts, compareAmounts, isNegative, subtractAmounts, ZERO } from './amount.ts';
import type { FieldValue } from './fields.ts';

/** What a claim about a collection says of the money that was charged. */
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

function isAmount(value: FieldValue): value is Amount {
  return typeof value === 'object' && value !== null;
}
