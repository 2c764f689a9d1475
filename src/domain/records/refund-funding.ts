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

/** The money of one transaction, in minor units: what was collected, and what its refunds take of it. */
export interface TransactionMoney {
  /** Null: no settled collection with an amount is known. */
  readonly collected: bigint | null;
  readonly refunded: bigint;
}

/** Every refund counts but a rejected one, which gives the money back (decision 37). */
export function countsAsRefunded(status: string | null): boolean {
  return status !== 'rejected';
}

/**
 * Returns what a collection lets its refunds take, in minor units: the larger of requested and charged, since the charge may be
 * net (decision 48). Nothing of one that failed; null while it is not settled, or without an amount. Pure.
 */
export function collectedMoney(collection: {
  readonly status: string | null;
  readonly requested: bigint | null;
  readonly charged: bigint | null;
}): bigint | null {
  const { status, requested, charged } = collection;
  if (status === null || !isSettled('collection', status)) return null;
  if (status !== 'success' && status !== 'completed') return 0n;
  if (requested === null) return charged;
  return charged !== null && requested < charged ? charged : requested;
}

/** What its refunds leave of a transaction: negative when more was refunded than collected; null when that is not known. */
export function remainingMoney({ collected, refunded }: TransactionMoney): bigint | null {
  return collected === null ? null : collected - refunded;
}
