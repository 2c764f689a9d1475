import { canonicalPhone, findBank } from '../world/banks.ts';
import { formatMoney, moneyToken } from '../world/money.ts';
import type { Collection, Funding, Payout, Refund } from '../world/records.ts';
import { WireNumber } from './json.ts';

// The records as answers and webhooks show them; strings and numbers are mixed in one object where the service mixes them.

/** A record as the controls show it: the same fields, with plain numbers in place of `WireNumber`. */
export type Plain<Shown> = {
  readonly [Field in keyof Shown]: Shown[Field] extends WireNumber ? number : Shown[Field];
};
export type RefundView = ReturnType<typeof refundRecord>;
export type PayoutView = Plain<ReturnType<typeof payoutRecord>>;
export type CollectionView = Plain<ReturnType<typeof collectionRecord>['data']>;

export function plain<Shown extends object>(shown: Shown): Plain<Shown> {
  const entries = Object.entries(shown).map(([field, value]) => [
    field,
    value instanceof WireNumber ? Number(value.token) : value,
  ]);
  return Object.fromEntries(entries) as Plain<Shown>;
}

/** The refund record of interface 2.4 without the timestamps that only some answers carry. */
function refundCore(refund: Refund) {
  return {
    refund_reference: refund.reference,
    transaction_reference: refund.transactionReference,
    amount: formatMoney(refund.amount),
    fee: formatMoney(refund.fee),
    total_reserved: formatMoney(refund.amount + refund.fee),
    funding: fundingView(refund.funding),
    currency: refund.currency,
    status: refund.status,
    external_reference: refund.externalReference,
    requested_at: refund.requestedAt,
  };
}

/** Initiation answers carry `completed_at` and no `updated_at` (interface 2.4, decision 92). */
export function refundAnswer(refund: Refund) {
  return { ...refundCore(refund), completed_at: refund.completedAt };
}

/** Webhooks carry `updated_at` (interface 6.2). */
export function refundEventData(refund: Refund) {
  return { ...refundCore(refund), updated_at: refund.updatedAt };
}

/** Status and list answers: the whole record (our choice: the interface does not show their bodies). */
export function refundRecord(refund: Refund) {
  return { ...refundCore(refund), completed_at: refund.completedAt, updated_at: refund.updatedAt };
}

function fundingView(funding: Funding) {
  return {
    status: funding.status,
    available_reserved: formatMoney(funding.availableReserved),
    pending_reserved: formatMoney(funding.pendingReserved),
    pending_funded_amount: formatMoney(funding.pendingFunded),
    pending_remaining: formatMoney(funding.pendingReserved - funding.pendingFunded),
    funded_at: funding.fundedAt,
  };
}

/** Payout webhook data (interface 6.3): amounts are numbers. */
export function payoutEventData(payout: Payout) {
  return {
    reference: payout.reference,
    currency: payout.currency,
    amount: new WireNumber(moneyToken(payout.amount)),
    fee: new WireNumber(moneyToken(payout.fee)),
    stamp_duty: new WireNumber(moneyToken(payout.stampDuty)),
    bank_code: payout.bankCode,
    bank_name: payout.bankName,
    account_number: storedAccount(payout),
    account_name: payout.accountName,
    narration: payout.narration,
    domain: payout.environment,
    status: payout.status,
    sessionid: payout.sessionId,
  };
}

/** Initiation answer (observed, decision 71): always pending; `amount` is a string beside numeric fees. */
export function payoutAnswer(payout: Payout) {
  return {
    ...payoutEventData(payout),
    amount: formatMoney(payout.amount),
    status: 'pending',
    created_at: payout.createdAt,
    updated_at: payout.createdAt,
  };
}

/** Status by reference (observed, decision 72). */
export function payoutRecord(payout: Payout) {
  return {
    id: new WireNumber(payout.id),
    ...payoutEventData(payout),
    amount: formatMoney(payout.amount),
    gateway_response: payout.gatewayResponse,
    created_at: payout.createdAt,
    updated_at: payout.updatedAt,
  };
}

/** The account as answers show it: a phone number in canonical form (observed, decision 79), a bank account as sent. */
function storedAccount({ currency, bankCode, accountNumber }: Payout): string {
  const isPhone = findBank(currency, bankCode)?.kind === 'mobile_money';
  return isPhone ? canonicalPhone(currency, accountNumber) : accountNumber;
}

/** Collection webhook data (observed, decision 2). */
export function collectionEventData(collection: Collection) {
  return {
    id: new WireNumber(collection.id),
    currency: collection.currency,
    amount: formatMoney(collection.charged),
    reference: collection.reference,
    channel: collection.channel,
    domain: collection.environment,
    fees: formatMoney(collection.fee),
    requested_amount: formatMoney(collection.requested),
    status: collection.status,
    created_at: collection.createdAt,
    updated_at: collection.updatedAt,
    paid_at: collection.paidAt,
    customer: customerView(collection),
  };
}

/** `data` of the verification answer, and the fields beside it (observed, decision 47). */
export function collectionRecord(collection: Collection) {
  return {
    data: {
      id: new WireNumber(collection.id),
      domain: collection.environment,
      status: collection.status,
      reference: collection.reference,
      amount: formatMoney(collection.charged),
      gateway_response: collection.gatewayResponse,
      paid_at: collection.paidAt,
      created_at: collection.createdAt,
      updated_at: collection.updatedAt,
      channel: collection.channel,
      currency: collection.currency,
      ip_address: null,
      fees: formatMoney(collection.fee),
      requested_amount: formatMoney(collection.requested),
    },
    customer: customerView(collection),
    log: collection.history.map(({ status, updatedAt }) => ({ status, at: updatedAt })),
    card: collection.cardLast4 === null ? null : { last4: collection.cardLast4 },
  };
}

function customerView({ customer }: Collection) {
  return { email: customer.email, name: customer.name, phone: customer.phone };
}
