import { type Amount, addAmounts, compareAmounts, isAmount, ZERO } from '../money/amount.ts';
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
  const { pendingRemaining, fundedAt } = details;
  const broken: string[] = fundingSums(refunded, details)
    .filter(({ sum, total }) => compareAmounts(sum, total) !== 0)
    .map(({ identity }) => identity);
  if (fundedAt && isAmount(pendingRemaining) && compareAmounts(pendingRemaining, ZERO) > 0) {
    broken.push('funded_at is null until fully funded');
  }
  return broken;
}

/** One funding identity of a refund: the sum of its parts, and the total that the service states. */
export interface FundingSum {
  readonly identity: string;
  readonly sum: Amount;
  readonly total: Amount;
}

/** Returns both sides of each funding identity whose figures are all there, whether or not it holds (decision 28). */
export function fundingSums(refunded: FieldValue, details: Fields): FundingSum[] {
  const { fee, totalReserved, availableReserved, pendingReserved, pendingFunded, pendingRemaining } = details;
  return [
    ...sumOf('amount + fee = total_reserved', refunded, fee, totalReserved),
    ...sumOf(
      'available_reserved + pending_reserved = total_reserved',
      availableReserved,
      pendingReserved,
      totalReserved,
    ),
    ...sumOf(
      'pending_funded_amount + pending_remaining = pending_reserved',
      pendingFunded,
      pendingRemaining,
      pendingReserved,
    ),
  ];
}

type Figure = FieldValue | undefined;

function sumOf(identity: string, part: Figure, other: Figure, total: Figure): FundingSum[] {
  if (!isAmount(part) || !isAmount(other) || !isAmount(total)) return [];
  return [{ identity, sum: addAmounts(part, other), total }];
}
