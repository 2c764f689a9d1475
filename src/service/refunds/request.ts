import { randomUUID } from 'node:crypto';
import { canonicalDigest, type JsonObject } from '../../domain/events/json.ts';
import type { Amount } from '../../domain/money/amount.ts';
import type { KeptRequest } from '../../domain/requests/request.ts';
import { optionalTexts, requireRequest } from '../calls/arguments.ts';
import { amountText, type BodyFields, requireLength, requireTexts, wireOf } from '../calls/request-body.ts';
import { IdempotencyKeyReusedError, RequestRefusedError } from '../errors/usage-errors.ts';

interface RefundOptions {
  /** Left out: the whole remaining refundable amount. */
  readonly amount?: Amount | undefined;
  /** At most 2000 characters. */
  readonly merchantNote?: string | undefined;
  /** Your key for this refund, at most 190 characters. Left out: the client makes one and keeps it in its journal. */
  readonly idempotencyKey?: string | undefined;
}

/** A refund request (interface 2.5) for the transaction `transactionReference`; the field may also be named `reference`. */
export type RefundRequest = RefundOptions &
  (
    | { readonly transactionReference: string; readonly reference?: undefined }
    | { readonly reference: string; readonly transactionReference?: undefined }
  );

/** A checked request: the body to send, and the digest that its idempotency key is bound to. */
export interface RefundRequestContent {
  readonly transactionReference: string;
  readonly amount: Amount | null;
  readonly body: BodyFields;
  /** What the request says of its record, in the service's field names: a later observation that differs is a finding. */
  readonly facts: JsonObject;
  /** sha256 (hex) of transaction, amount and note. */
  readonly digest: string;
  readonly idempotencyKey: string | null;
}

const FIELDS = ['transactionReference', 'reference', 'amount', 'merchantNote', 'idempotencyKey'];
const LONGEST_NOTE = 2000;
const LONGEST_KEY = 190;
const LONGEST_REFERENCE = 255;

/**
 * Returns the content of a refund request, checked against interface 2.5 and decisions 30, 36, 45, 46.
 *
 * @throws RequestRefusedError naming the field; nothing has been sent
 */
export function checkedRefundRequest(request: RefundRequest): RefundRequestContent {
  // A misspelt amount would refund the whole; a callback URL or card data must never be sent with a refund.
  requireRequest(request, FIELDS, 'refunds.request({ transactionReference, amount: parseAmount("5.00") })');
  const { transactionReference, reference, amount, merchantNote, idempotencyKey } = request;
  if (transactionReference !== undefined && reference !== undefined && transactionReference !== reference) {
    throw new RequestRefusedError('reference', 'differs from transactionReference');
  }
  const transaction: string | undefined = transactionReference ?? reference;
  requireTexts({ transactionReference: transaction }, LONGEST_REFERENCE);
  optionalTexts({ merchantNote, idempotencyKey });
  requireLength('merchantNote', merchantNote, LONGEST_NOTE);
  if (idempotencyKey !== undefined) requireKey(idempotencyKey);
  const asText = amount === undefined ? undefined : amountText(amount);
  const name = transactionReference === undefined ? 'reference' : 'transaction_reference';
  return {
    transactionReference: String(transaction),
    amount: amount ?? null,
    body: { [name]: String(transaction), amount: asText, merchant_note: merchantNote },
    facts: wireOf({ transaction_reference: String(transaction), amount: asText }),
    digest: canonicalDigest([String(transaction), asText ?? null, merchantNote ?? null]),
    idempotencyKey: idempotencyKey ?? null,
  };
}

export function newIdempotencyKey(): string {
  return `th-${randomUUID()}`;
}

/** Throws IdempotencyKeyReusedError when the kept request has other content (decision 32). */
export function requireSameContent(kept: KeptRequest, digest: string): void {
  if (kept.contentDigest !== digest) throw new IdempotencyKeyReusedError(kept.key);
}

/** Requires printable ASCII, because the key is sent as a header. */
function requireKey(key: string): void {
  requireLength('idempotencyKey', key, LONGEST_KEY);
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new RequestRefusedError(
      'idempotencyKey',
      'must be printable ASCII without spaces, because it is sent as a header',
    );
  }
}
