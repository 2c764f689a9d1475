import { isObject, type JsonObject, member } from '../../domain/events/json.ts';
import { recordIn, referenceOf } from '../../domain/events/naming.ts';
import type { Amount } from '../../domain/money/amount.ts';
import { COLLECTION_FIELDS } from '../../domain/records/collection.ts';
import { type Fields, readFields, text } from '../../domain/records/fields.ts';
import type { CollectionVersion } from '../../domain/requests/request.ts';
import type { Envelope } from '../calls/envelope.ts';
import { amountOf, statusOf, textOf } from '../refunds/record.ts';

/** `success`, `pending`, `failed`, `cancelled`, `abandoned`, `reversed` (decision 69); others are kept unchanged. */
export type CollectionStatus =
  | 'success'
  | 'pending'
  | 'failed'
  | 'cancelled'
  | 'abandoned'
  | 'reversed'
  | (string & {});

/** A collection as its verification endpoint describes it (decision 47, observed). Missing fields are null. */
export interface Collection {
  readonly reference: string;
  readonly status: CollectionStatus;
  /** The amount you requested: compare it with the order first (decision 48). */
  readonly requestedAmount: Amount | null;
  /** The amount charged, with or without the fee. */
  readonly amount: Amount | null;
  readonly fees: Amount | null;
  readonly currency: string | null;
  readonly channel: string | null;
  readonly gatewayResponse: string | null;
  readonly customerEmail: string | null;
  readonly paidAt: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  /** The object as the service sent it, with its sibling `customer` inside. */
  readonly wire: JsonObject;
}

/** Returns the object of a response that can be a collection, with its sibling `customer` inside; null without one. */
export function collectionIn({ root }: Envelope): JsonObject | null {
  const source = recordIn(root, 'collection');
  const sibling = member(root, 'customer');
  if (source === null || !isObject(sibling) || member(source, 'customer') !== undefined) return source;
  return { ...source, customer: sibling };
}

/** Returns the collection in such an object, under the reference that was checked; null without a status. */
export function collectionOf(wire: JsonObject, reference: string): Collection | null {
  const status = statusOf(wire);
  if (status === null) return null;
  const times = readFields(wire, COLLECTION_FIELDS.times).fields;
  const facts: Fields = readFields(wire, COLLECTION_FIELDS.facts).fields;
  const details: Fields = readFields(wire, COLLECTION_FIELDS.details).fields;
  return {
    reference,
    status,
    requestedAmount: amountOf(facts.requestedAmount),
    amount: amountOf(details.amount),
    fees: amountOf(details.fees),
    currency: textOf(facts.currency),
    channel: textOf(details.channel),
    gatewayResponse: textOf(details.gatewayResponse),
    customerEmail: textOf(details.customerEmail),
    paidAt: textOf(times.paidAt),
    createdAt: textOf(times.createdAt),
    updatedAt: textOf(times.updatedAt),
    wire,
  };
}

/** The account the customer pays into (interface 2.3). */
export interface VirtualAccount {
  readonly accountName: string | null;
  readonly accountNumber: string;
  readonly bankName: string | null;
}

/** The payment was started, which does not prove that it was paid: verify it (rule 4.1.8). */
export interface CollectionStart {
  readonly reference: string;
  readonly version: CollectionVersion;
  /**
   * How the start is known: from the response; or (`checked`) from a status check, because the payment was begun before. Then
   * there is no message, and an account or code only if the verification endpoint repeats it.
   */
  readonly known: 'answered' | 'checked';
  readonly message: string;
  /** The status in the response, if any: not trusted until verified (decision 53). */
  readonly status: CollectionStatus | null;
  /** Bank transfer. */
  readonly virtualAccount: VirtualAccount | null;
  /** USSD: the code that the customer dials (observed). */
  readonly ussdCode: string | null;
  readonly paymentId: string | null;
  /** The whole response as the service sent it. */
  readonly wire: JsonObject;
}

const START = {
  accountName: text('account_name'),
  accountNumber: text('account_number'),
  bankName: text('bank_name'),
  ussdCode: text('code'),
  paymentId: text('paymentid'),
};

/**
 * Returns the start in a response that names no other payment. A status counts only with the reference (decision 105); an
 * account or a code comes without one (interface 2.3).
 */
export function collectionStart(
  { data, root, message }: Envelope,
  reference: string,
  version: CollectionVersion,
): CollectionStart {
  const source = isObject(data) ? data : {};
  const status = referenceOf(source, 'collection') === null ? null : statusOf(source);
  return { reference, version, known: 'answered', message, status, ...startDetails(source), wire: root };
}

/** Returns the requested amount and the currency in the answer to a start; null where it states none. */
export function startMoney(envelope: Envelope): Pick<Collection, 'requestedAmount' | 'currency' | 'wire'> {
  const wire = collectionIn(envelope) ?? {};
  const facts: Fields = readFields(wire, COLLECTION_FIELDS.facts).fields;
  return { requestedAmount: amountOf(facts.requestedAmount), currency: textOf(facts.currency), wire };
}

/** Returns the start of a payment that was begun before, from its status check. */
export function startOfKnown({ reference, status, wire }: Collection, version: CollectionVersion): CollectionStart {
  return { reference, version, known: 'checked', message: '', status, ...startDetails(wire), wire };
}

function startDetails(source: JsonObject): Pick<CollectionStart, 'virtualAccount' | 'ussdCode' | 'paymentId'> {
  const { fields } = readFields(source, START);
  const accountNumber = textOf(fields.accountNumber);
  return {
    virtualAccount:
      accountNumber === null
        ? null
        : { accountName: textOf(fields.accountName), accountNumber, bankName: textOf(fields.bankName) },
    ussdCode: textOf(fields.ussdCode),
    paymentId: textOf(fields.paymentId),
  };
}
