import type { TallyhookError } from '../../domain/error.ts';
import { type RequestLine, ServiceError } from './service-error.ts';

export const MONEY_OPERATIONS = ['refund', 'payout', 'collection', 'checkout'] as const;
export type MoneyOperation = (typeof MONEY_OPERATIONS)[number];

const NEXT_STEP: Record<MoneyOperation, string> = {
  refund: 'Make the same request again: it reuses its idempotency key, so there is at most one refund.',
  payout:
    'Do not send it again, nor under another reference. Check its status by its reference; "not found" proves nothing for 15 minutes.',
  collection:
    'Verify the reference first; "not found" proves nothing for 15 minutes. Under another reference the customer may pay twice.',
  checkout: 'Start again under a new reference; the customer was not sent anywhere.',
};

export interface AmbiguousOutcomeFacts {
  readonly operation: MoneyOperation;
  readonly reference: string;
  /** The request whose outcome is unknown. */
  readonly requestLine: RequestLine;
  readonly cause: TallyhookError;
  readonly idempotencyKey?: string | null;
  /** What to do next, where it differs from the usual step of the operation. */
  readonly hint?: string;
}

/**
 * The request was sent and its outcome is not known (decisions 42 and 74). `cause` is the typed error of the call. Repeat
 * the request only as the hint describes.
 */
export class AmbiguousOutcomeError extends ServiceError {
  override readonly name = 'AmbiguousOutcomeError';
  readonly operation: MoneyOperation;
  /** The payout's or collection's reference; for a refund the transaction's. */
  readonly reference: string;
  /** The key under which a refund is repeated; null for the others. */
  readonly idempotencyKey: string | null;

  constructor({ operation, reference, requestLine, cause, idempotencyKey = null, hint }: AmbiguousOutcomeFacts) {
    const httpStatus = cause instanceof ServiceError ? cause.httpStatus : null;
    super(`it is unknown whether the ${operation} of ${JSON.stringify(reference)} was accepted. ${cause.message}`, {
      requestLine,
      httpStatus,
      kind: 'unavailable',
      hint: hint ?? NEXT_STEP[operation],
      cause,
    });
    this.operation = operation;
    this.reference = reference;
    this.idempotencyKey = idempotencyKey;
  }
}
