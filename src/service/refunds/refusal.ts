import type { RefusalReader } from '../calls/caller.ts';
import { fundsRefusal } from '../calls/funds.ts';
import { InvalidFieldsError } from '../errors/field-errors.ts';
import {
  AlreadyRefundedError,
  IdempotencyConflictError,
  NotCardTransactionError,
  RefundExceedsRemainingError,
  TransactionNotFoundError,
  TransactionNotSuccessfulError,
  UnsupportedRefundCurrencyError,
} from '../errors/refund-errors.ts';
import type { RefundRequestContent } from './request.ts';

/**
 * Returns the reader for refusals of a refund request: it picks the row of interface 7.2. The document gives conditions, not
 * wordings, so fields decide first, then the HTTP status, then words that name the condition.
 */
export function refundRefusal(request: RefundRequestContent): RefusalReader {
  return (facts, envelope) => {
    const { httpStatus, message, fields } = facts;
    const words = `${message} ${Object.values(fields).flat().join(' ')}`.toLowerCase();
    const funds = fundsRefusal(facts, envelope);
    if (funds !== null) return funds;
    if (httpStatus === 404) return new TransactionNotFoundError(facts);
    if (httpStatus === 409 && /idempotenc|in progress|being processed|duplicate request/.test(words)) {
      return new IdempotencyConflictError(facts);
    }
    if (httpStatus === 409 || /fully refunded|already (been )?refunded/.test(words))
      return new AlreadyRefundedError(facts);
    const exceeds = /exceed|greater than|more than|remaining refundable/.test(words);
    if (exceeds && request.amount !== null && !names(fields, 'merchant_note', 'idempotency_key')) {
      return new RefundExceedsRemainingError(facts);
    }
    if (Object.keys(fields).length > 0) return new InvalidFieldsError(facts);
    if (/not successful|unsuccessful|not .*success|successful transaction/.test(words)) {
      return new TransactionNotSuccessfulError(facts);
    }
    // "Only USD card transactions" fits two rows, so a message that names the transaction's currency is tested first.
    if (/currenc|\bngn\b|\bkes\b|\bghs\b/.test(words)) return new UnsupportedRefundCurrencyError(facts);
    if (/\bcards?\b/.test(words)) return new NotCardTransactionError(facts);
    if (/\busd\b|not supported|unsupported/.test(words)) return new UnsupportedRefundCurrencyError(facts);
    return null;
  };
}

function names(fields: object, ...wanted: string[]): boolean {
  return wanted.some((name) => Object.hasOwn(fields, name));
}
