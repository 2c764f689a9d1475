import type { Stated } from '../events/stated.ts';
import { type Amount, isAmount } from '../money/amount.ts';
import { chargeAgrees, chargeOf, isUnderpaid } from '../records/charged-amount.ts';
import type { RecordKind } from '../records/lifecycle.ts';
import { AMOUNT_FACT, type Expectation } from './expectation.ts';

export type Expected = Pick<Expectation, 'amount' | 'currency'>;

export interface StatedAmount {
  /** The amount to be paid; null when the answer does not state it, or not so that it agrees with the expected one. */
  readonly amount: Amount | null;
  readonly currency: string | null;
  /** The answer states an amount and a currency, both readable, and no smaller charge. */
  readonly complete: boolean;
}

/**
 * Returns the amount to be paid by an answer. A collection that states no requested amount states it by the charged one, where
 * that is the expected amount with or without its fees (decision 48). One that states both is complete only if the charge is
 * not below the requested amount. An amount that cannot be read is not stated. Pure.
 */
export function statedAmount(
  kind: RecordKind,
  { facts, details, unreadable }: Pick<Stated, 'facts' | 'details' | 'unreadable'>,
  expected: Expected,
): StatedAmount {
  const currency = typeof facts.currency === 'string' ? facts.currency : null;
  const fact = facts[AMOUNT_FACT[kind]];
  const charge = kind === 'collection' && !unreadable.includes(AMOUNT_FACT[kind]) ? chargeOf(details) : null;
  if (isAmount(fact) || charge === null) {
    const amount = isAmount(fact) ? fact : null;
    const underpaid = amount !== null && charge !== null && isUnderpaid(charge, amount);
    return { amount, currency, complete: amount !== null && currency !== null && !underpaid };
  }
  const { amount: wanted } = expected;
  const amount = wanted !== null && chargeAgrees(charge, wanted) ? wanted : null;
  return { amount, currency, complete: currency !== null && (wanted === null || amount !== null) };
}
