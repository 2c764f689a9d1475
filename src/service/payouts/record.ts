import type { JsonObject } from '../../domain/events/json.ts';
import type { Amount } from '../../domain/money/amount.ts';
import { type Fields, readFields, text } from '../../domain/records/fields.ts';
import { PAYOUT_FIELDS } from '../../domain/records/payout.ts';
import { amountOf, statusOf, textOf } from '../refunds/record.ts';

/** `pending`, `success`, `failed`, `reversed`, `completed` (observed, decisions part 1); others are kept unchanged. */
export type PayoutStatus = 'pending' | 'success' | 'failed' | 'reversed' | 'completed' | (string & {});

/** A payout as the service describes it (interface 2.7, 6.3; decision 71). Missing fields are null. */
export interface Payout {
  readonly reference: string;
  readonly status: PayoutStatus;
  readonly amount: Amount | null;
  readonly currency: string | null;
  readonly fee: Amount | null;
  readonly stampDuty: Amount | null;
  readonly bankCode: string | null;
  readonly bankName: string | null;
  /** The service may return a phone number in another notation than it received (decision 79). */
  readonly accountNumber: string | null;
  readonly accountName: string | null;
  readonly narration: string | null;
  readonly sessionId: string | null;
  readonly gatewayResponse: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  /** The object as the service sent it; empty when it sent none. */
  readonly wire: JsonObject;
}

const IDENTITY = {
  gatewayResponse: text('gateway_response'),
  createdAt: text('created_at'),
  updatedAt: text('updated_at'),
};

/**
 * Returns the payout in the object of a response, under the reference that was checked or sent; `{}` for a response that names no
 * payout. A missing status is `pending`, which states nothing (decisions 71, 72).
 */
export function payoutOf(wire: JsonObject, reference: string): Payout {
  const identity = readFields(wire, IDENTITY).fields;
  const facts: Fields = readFields(wire, PAYOUT_FIELDS.facts).fields;
  const details: Fields = readFields(wire, PAYOUT_FIELDS.details).fields;
  return {
    reference,
    status: statusOf(wire) ?? 'pending',
    amount: amountOf(facts.amount),
    currency: textOf(facts.currency),
    fee: amountOf(details.fee),
    stampDuty: amountOf(details.stampDuty),
    bankCode: textOf(facts.bankCode),
    bankName: textOf(details.bankName),
    accountNumber: textOf(facts.accountNumber),
    accountName: textOf(details.accountName),
    narration: textOf(details.narration),
    sessionId: textOf(details.sessionId),
    gatewayResponse: textOf(identity.gatewayResponse),
    createdAt: textOf(identity.createdAt),
    updatedAt: textOf(identity.updatedAt),
    wire,
  };
}
