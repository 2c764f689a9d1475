import { randomUUID } from 'node:crypto';
import type { Amount } from '../../domain/amount.ts';
import { canonicalDigest } from '../../domain/json.ts';
import type { KeptRequest } from '../../domain/request.ts';
import { amountText, type BodyFields, requireLength, requireTexts } from '../calls/request-body.ts';
import { IdempotencyKeyReusedError, RequestRefusedError } from '../errors/usage-errors.ts';

interface RefundWishes {
  /** Left out: the whole remaining refundable amount. */
  readonly amount?: Amount | undefined;
  /** At most 2000 characters. */
  readonly merchantNote?: string | undefined;
  /** Your own name for this refund, at most 190 characters; left out, the client makes one and keeps it in its journal. */
  readonly idempotencyKey?: string | undefined;
}

/** A refund to ask for (interface 2.5): of the transaction under `transactionReference`, which may also be called `reference`. */
export type RefundRequest = RefundWishes &
  (
    | { readonly transactionReference: string; readonly reference?: undefined }
    | { readonly reference: string; readonly transactionReference?: undefined }
  );

/** A checked request: what is sent, and the digest its idempotency key is bound to. */
export interface RefundRequestContent {
  readonly transactionReference: string;
  readonly amount: Amount | null;
  readonly body: BodyFields;
  /** sha256 (hex) of transaction, amount and note. */
  readonly digest: string;
  readonly idempotencyKey: string | null;
}

const ALLOWED = ['transactionReference', 'reference', 'amount', 'merchantNote', 'idempotencyKey'];
const LONGEST_NOTE = 2000;
const LONGEST_KEY = 190;
const LONGEST_REFERENCE = 255;

/**
 * Checks a refund request against interface 2.5 and decisions 30, 36, 45, 46.
 *
 * @throws RequestRefusedError naming the field; nothing has been sent
 */
export function checkedRefundRequest(request: RefundRequest): RefundRequestContent {
  for (const name of Object.keys(request)) {
    // A callback URL or card data must never travel with a refund; anything unknown is refused alike.
    if (!ALLOWED.includes(name)) throw new RequestRefusedError(name, 'must not be part of a refund request');
  }
  const { transactionReference, reference, amount, merchantNote, idempotencyKey } = request;
  if (transactionReference !== undefined && reference !== undefined && transactionReference !== reference) {
    throw new RequestRefusedError('reference', 'differs from transactionReference');
  }
  const transaction: string | undefined = transactionReference ?? reference;
  requireTexts({ transactionReference: transaction }, LONGEST_REFERENCE);
  requireLength('merchantNote', merchantNote, LONGEST_NOTE);
  if (idempotencyKey !== undefined) requireKey(idempotencyKey);
  const asText = amount === undefined ? undefined : amountText(amount);
  const name = transactionReference === undefined ? 'reference' : 'transaction_reference';
  return {
    transactionReference: String(transaction),
    amount: amount ?? null,
    body: { [name]: String(transaction), amount: asText, merchant_note: merchantNote },
    digest: canonicalDigest([String(transaction), asText ?? null, merchantNote ?? null]),
    idempotencyKey: idempotencyKey ?? null,
  };
}

export function newIdempotencyKey(): string {
  return `th-${randomUUID()}`;
}

/** A key is bound to one content (decision 32). */
export function requireSameContent(kept: KeptRequest, digest: string): void {
  if (kept.contentDigest !== digest) throw new IdempotencyKeyReusedError(kept.key);
}

/** It travels as a header: printable ASCII, nothing else. */
function requireKey(key: string): void {
  requireLength('idempotencyKey', key, LONGEST_KEY);
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new RequestRefusedError(
      'idempotencyKey',
      'must be printable ASCII without spaces, because it travels as a header',
    );
  }
}
