import type { Amount } from '../../domain/amount.ts';
import type { CollectionVersion } from '../../domain/request.ts';
import { requireNewReference } from '../calls/references.ts';
import { amountText, type BodyFields, requireTexts } from '../calls/request-body.ts';
import { RequestRefusedError } from '../errors/usage-errors.ts';
import { requireCurrency } from '../payouts/request.ts';
import type { EncryptedCard } from './card.ts';

/** With a test key, the outcome to simulate; with a live key it is ignored (rules 4.1.3, 4.1.5). */
export const FORCED_STATUSES = ['success', 'failed', 'pending'] as const;
export type ForcedStatus = (typeof FORCED_STATUSES)[number];

/** Fields of every channel (interface 2.1, decision 51). */
export interface CollectionRequest {
  readonly amount: Amount;
  readonly currency: string;
  /** Your own, new, 16 to 64 characters. */
  readonly reference: string;
  readonly status?: ForcedStatus | undefined;
  readonly description?: string | undefined;
  /** Default: the client's `collectionVersion`. A payment keeps the version that it began with (interface 9.1). */
  readonly version?: CollectionVersion | undefined;
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
  /** Code of the customer's bank (observed). */
  readonly bankCode: string;
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

/** Returns the checked fields that all channels share. Throws RequestRefusedError; nothing has been sent. */
export function commonBody(request: CollectionRequest): BodyFields {
  const { amount, currency, reference, status, description } = request;
  requireTexts({ currency });
  requireCurrency(currency);
  requireNewReference(reference);
  if (status !== undefined && !FORCED_STATUSES.includes(status)) {
    throw new RequestRefusedError('status', `is ${JSON.stringify(status)}, and may be ${FORCED_STATUSES.join(', ')}`);
  }
  return { amount: amountText(amount), currency, reference, status, description };
}

/** Returns the payload of a card for this reference and version, in hexadecimal (interface 2.1). Throws RequestRefusedError. */
export function cardPayload(card: EncryptedCard | string, reference: string, version: CollectionVersion): string {
  const payload = typeof card === 'string' ? card : card.payloadFor(reference, version);
  if (/^([0-9a-fA-F]{2})+$/.test(payload)) return payload;
  throw new RequestRefusedError('card', 'is not a hexadecimal payload');
}
