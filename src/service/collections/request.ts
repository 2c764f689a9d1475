import type { Amount } from '../../domain/money/amount.ts';
import { COLLECTION_VERSIONS, type CollectionVersion } from '../../domain/requests/request.ts';
import { isRecord, kindOf, namesOf, optionalTexts, optionalWord, requireRequest } from '../calls/arguments.ts';
import { requireNewReference } from '../calls/references.ts';
import { amountText, type BodyFields, requireTexts } from '../calls/request-body.ts';
import { RequestRefusedError } from '../errors/usage-errors.ts';
import { requireCurrency } from '../payouts/request.ts';
import { EncryptedCard } from './card.ts';

/** With a test key, the outcome to simulate; with a live key it is ignored (rules 4.1.3, 4.1.5). */
export const FORCED_STATUSES = ['success', 'failed', 'pending'] as const;
export type ForcedStatus = (typeof FORCED_STATUSES)[number];

/** Fields of every channel (interface 2.1, decision 51). */
export interface CollectionRequest {
  readonly amount: Amount;
  readonly currency: string;
  /** Your own, new: 1 to 255 of `A-Z a-z 0-9 _ . -`, better 16 or more. */
  readonly reference: string;
  readonly status?: ForcedStatus | undefined;
  readonly description?: string | undefined;
  /** Default: the client's `collectionVersion`. A payment keeps the version that it began with (interface 9.1). */
  readonly version?: CollectionVersion | undefined;
  /**
   * Unproven: fields that the interface does not show and your agreement with the service names, such as another name for the code
   * of a bank. Sent under these names as they are.
   */
  readonly fields?: Readonly<Record<string, string>> | undefined;
}

export interface CardCollection extends CollectionRequest {
  readonly email: string;
  /** From `encryptTestCard`, or the hexadecimal payload of a live card. Recurring-payment cards must use checkout (4.1.6). */
  readonly card: EncryptedCard | string;
}

export interface BankTransferCollection extends CollectionRequest {
  readonly email: string;
}

export interface UssdCollection extends CollectionRequest {
  readonly email: string;
  /** Code of the customer's bank. Observed, the interface shows no field for it; under another name it goes into `fields`. */
  readonly bankCode?: string | undefined;
}

export interface MobileMoneyCollection extends CollectionRequest {
  readonly phone: string;
  /** Name of the operator. */
  readonly bankName: string;
  readonly email?: string | undefined;
}

export interface Wallet {
  readonly walletCode?: string | undefined;
}

/** The fields of all channels: which of them a channel takes is for the types. */
const FIELDS = namesOf<CardCollection & UssdCollection & MobileMoneyCollection & Wallet>({
  amount: true,
  currency: true,
  reference: true,
  status: true,
  description: true,
  version: true,
  fields: true,
  email: true,
  card: true,
  bankCode: true,
  bankName: true,
  phone: true,
  walletCode: true,
});

/** Returns the checked fields that all channels share. Throws RequestRefusedError; nothing has been sent. */
export function commonBody(request: CollectionRequest): BodyFields {
  requireRequest(request, FIELDS, 'collections.card({ amount: parseAmount("5.00"), currency, reference, … })');
  const { amount, currency, reference, status, description, version } = request;
  optionalTexts({ description });
  optionalWord('version', version, COLLECTION_VERSIONS);
  requireTexts({ currency });
  requireCurrency(currency);
  requireNewReference(reference);
  optionalWord('status', status, FORCED_STATUSES);
  return { amount: amountText(amount), currency, reference, status, description };
}

/**
 * Returns `body` with the fields that the interface does not show. Throws RequestRefusedError for one that is no text, and for one that the
 * request has itself: its check would be passed by.
 */
export function withFurtherFields(body: BodyFields, fields: unknown): BodyFields {
  if (fields === undefined) return body;
  if (!isRecord(fields)) {
    throw new RequestRefusedError('fields', `is ${kindOf(fields)}, and must be an object of texts: { bank: '058' }`);
  }
  const own = [...FIELDS, 'wallet_code', 'callbackUrl'];
  for (const [name, value] of Object.entries(fields)) {
    if (own.includes(name)) {
      throw new RequestRefusedError(`fields.${name}`, 'is for what the interface does not show, and this is not');
    }
    requireTexts({ [`fields.${name}`]: value as string });
  }
  return { ...body, ...(fields as Record<string, string>) };
}

/** Returns the payload of a card for this reference and version, in hexadecimal (interface 2.1). Throws RequestRefusedError. */
export function cardPayload(card: EncryptedCard | string, reference: string, version: CollectionVersion): string {
  if (typeof card !== 'string' && !(card instanceof EncryptedCard)) {
    throw new RequestRefusedError('card', `is ${kindOf(card)}, and must be what encryptTestCard returned, or a text`);
  }
  const payload = typeof card === 'string' ? card : card.payloadFor(reference, version);
  if (/^([0-9a-fA-F]{2})+$/.test(payload)) return payload;
  throw new RequestRefusedError('card', 'is not a hexadecimal payload');
}
