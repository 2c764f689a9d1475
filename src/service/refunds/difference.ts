import { compareAmounts } from '../../domain/money/amount.ts';
import type { Envelope } from '../calls/envelope.ts';
import { isMoneyReadable, UNREADABLE_MONEY } from '../calls/readable-money.ts';
import { type Refund, transactionsNamed } from './record.ts';
import type { RefundRequestContent } from './request.ts';

// Whether a refund of the service can be the requested one. Each fault is a clause for a person.

/** Refunds are in USD only (interface 8). */
export const REFUND_CURRENCY = 'USD';

const OTHER_TRANSACTION = 'it is about another transaction';

/**
 * Returns why the answer to a request does not accept it, null when it does. The service assigns the reference, so the
 * transaction alone shows that an answer is about our request (decision 105).
 */
export function acceptanceFault(envelope: Envelope, refund: Refund, content: RefundRequestContent): string | null {
  const named = transactionsNamed(envelope, refund);
  if (named.some((one) => one !== content.transactionReference)) return OTHER_TRANSACTION;
  if (named.length === 0) return 'it names no transaction';
  return differenceFrom(refund, content) ?? moneyFault(refund);
}

/** Returns why the money of a refund cannot be compared with that of a request; null when it can, as far as it is stated. */
export function moneyFault({ wire }: Refund): string | null {
  return isMoneyReadable('refund', wire) ? null : UNREADABLE_MONEY;
}

/** Whether a listed refund can be the requested one, also when its money cannot be read. */
export function matches(refund: Refund, content: RefundRequestContent): boolean {
  const hasMoney = content.amount === null || refund.amount !== null || moneyFault(refund) !== null;
  return refund.transactionReference !== null && hasMoney && differenceFrom(refund, content) === null;
}

/** Returns how a refund differs from the request in the fields that both have; null when it does not. */
export function differenceFrom(refund: Refund, content: RefundRequestContent): string | null {
  const { transactionReference, amount, currency } = refund;
  if (transactionReference !== null && transactionReference !== content.transactionReference) {
    return OTHER_TRANSACTION;
  }
  if (currency !== null && currency !== REFUND_CURRENCY) return `it names another currency than ${REFUND_CURRENCY}`;
  const otherAmount = content.amount !== null && amount !== null && compareAmounts(amount, content.amount) !== 0;
  return otherAmount ? 'it names another amount' : null;
}
