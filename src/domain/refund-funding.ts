import { type Amount, addAmounts, compareAmounts, isAmount, subtractAmounts, ZERO } from './amount.ts';
import type { FieldValue } from './fields.ts';
import { isSettled } from './lifecycle.ts';

/** What the funding proof needs of a refund. */
export interface FundedRefund {
  /** By the service where it answered, else by the webhooks. */
  readonly status: string | null;
  readonly fundingStatus: FieldValue;
  readonly startedAtMs: number;
  /** Its effective time, with which a settled refund frees its reserve. */
  readonly effectiveAtMs: number;
}

/**
 * Whether the service holds money for a refund at a time: from its request until it is settled, unless its funding says that
 * it was released. Pure.
 */
export function isReservedAt(
  { status, fundingStatus, startedAtMs, effectiveAtMs }: FundedRefund,
  atMs: number,
): boolean {
  if (startedAtMs > atMs) return false;
  if (status !== null && isSettled('refund', status)) return effectiveAtMs > atMs;
  return fundingStatus !== 'released';
}

/** The money of one transaction: what was collected, and what its refunds take of it. */
export interface TransactionMoney {
  /** Null: no settled collection with an amount is known. */
  readonly collected: Amount | null;
  readonly refunded: Amount;
  /** Null without `collected`; negative when more was refunded than collected. */
  readonly remaining: Amount | null;
  readonly overRefunded: boolean;
}

/** Every refund counts but a rejected one, which gives the money back (decision 37). */
export function countsAsRefunded(status: string | null): boolean {
  return status !== 'rejected';
}

/** What a collection lets its refunds take: the larger of requested and charged, since the charge may be net (decision 48). */
export function collectedMoney(collection: {
  readonly status: string | null;
  readonly requestedAmount: FieldValue;
  readonly amount: FieldValue;
}): Amount | null {
  const { status, requestedAmount, amount } = collection;
  if (status === null || !isSettled('collection', status)) return null;
  if (status !== 'success' && status !== 'completed') return ZERO;
  const [requested, charged] = [isAmount(requestedAmount) ? requestedAmount : null, isAmount(amount) ? amount : null];
  if (requested === null || charged === null) return requested ?? charged;
  return compareAmounts(requested, charged) < 0 ? charged : requested;
}

export function transactionMoney(collected: Amount | null, refunds: readonly Amount[]): TransactionMoney {
  const refunded = refunds.reduce(addAmounts, ZERO);
  const remaining = collected === null ? null : subtractAmounts(collected, refunded);
  return { collected, refunded, remaining, overRefunded: remaining !== null && compareAmounts(remaining, ZERO) < 0 };
}
