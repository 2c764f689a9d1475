import { amount, currency, exact, type FieldTable, text } from './fields.ts';

/**
 * The fields of a collection in webhooks and verification (decisions 2, 48 and part 1). `amount` may be gross, net or
 * requested, so it is a detail of one observation; `requestedAmount` is the amount that the merchant requested: a fact.
 */
export const COLLECTION_FIELDS = {
  facts: {
    requestedAmount: amount('requested_amount'),
    currency: currency('currency'),
    walletCode: text('wallet_code'),
  },
  details: {
    amount: amount('amount'),
    fees: exact('fees'),
    channel: text('channel'),
    gatewayResponse: text('gateway_response'),
    customerEmail: text('customer', 'email'),
  },
  times: {
    createdAt: text('created_at'),
    paidAt: text('paid_at'),
    updatedAt: text('updated_at'),
  },
} as const satisfies FieldTable;
