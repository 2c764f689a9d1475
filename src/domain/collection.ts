import { amount, currency, exact, type FieldTable, text } from './fields.ts';

/**
 * A collection as its webhooks and its verification carry it (decisions 2, 48 and part 1). `amount` may be gross, net or
 * requested, so it is a detail of one claim; `requestedAmount` is what the merchant asked, and that never changes.
 */
export const COLLECTION_FIELDS = {
  facts: {
    requestedAmount: amount('requested_amount'),
    currency: currency('currency'),
  },
  details: {
    amount: amount('amount'),
    fees: exact('fees'),
    channel: text('channel'),
    paidAt: text('paid_at'),
    gatewayResponse: text('gateway_response'),
    customerEmail: text('customer', 'email'),
  },
} as const satisfies FieldTable;
