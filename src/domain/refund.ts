import { type Amount, addAmounts, compareAmounts, ZERO } from './amount.ts';
import { amount, currency, exact, type Fields, type FieldTable, type FieldValue, text } from './fields.ts';

/** The fields of a refund (interface 2.4). */
export const REFUND_FIELDS = {
  facts: {
    amount: amount('amount'),
    currency: currency('currency'),
    transactionReference: text('transaction_reference'),
  },
  details: {
    fee: exact('fee'),
    totalReserved: exact('total_reserved'),
    fundingStatus: text('funding', 'status'),
    availableReserved: exact('funding', 'available_reserved'),
    pendingReserved: exact('funding', 'pending_reserved'),
    pendingFunded: exact('funding', 'pending_funded_amount'),
    pendingRemaining: exact('funding', 'pending_remaining'),
    fundedAt: text('funding', 'funded_at'),
    externalReference: text('external_reference'),
  },
  times: {
    requestedAt: text('requested_at'),
    completedAt: text('completed_at'),
    updatedAt: text('updated_at'),
  },
} as const satisfies FieldTable;

/**
 * Returns the funding identities that do not hold (decisions 28); one with a missing figure is skipped. Not checked
 * once the funding is `released`: the money was returned and the figures are out of date.
 */
export function brokenFundingIdentities(refunded: FieldValue, details: Fields): string[] {
  if (details.fundingStatus === 'released') return [];
  const { fee, totalReserved, availableReserved, pendingReserved, pendingFunded, pendingRemaining, fundedAt } = details;
  const broken: string[] = [];
  if (!addsUp(refunded, fee, totalReserved)) broken.push('amount + fee = total_reserved');
  if (!addsUp(availableReserved, pendingReserved, totalReserved)) {
    broken.push('available_reserved + pending_reserved = total_reserved');
  }
  if (!addsUp(pendingFunded, pendingRemaining, pendingReserved)) {
    broken.push('pending_funded_amount + pending_remaining = pending_reserved');
  }
  if (fundedAt && isAmount(pendingRemaining) && compareAmounts(pendingRemaining, ZERO) > 0) {
    broken.push('funded_at is null until fully funded');
  }
  return broken;
}

function addsUp(part: FieldValue | undefined, other: FieldValue | undefined, total: FieldValue | undefined): boolean {
  if (!isAmount(part) || !isAmount(other) || !isAmount(total)) return true;
  return compareAmounts(addAmounts(part, other), total) === 0;
}

function isAmount(value: FieldValue | undefined): value is Amount {
  return typeof value === 'object' && value !== null;
}
