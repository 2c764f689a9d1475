import { parseAmount } from '../../src/domain/money/amount.ts';
import { type CheckoutRequest, newReference, type PayoutRequest } from '../../src/service/index.ts';

// Requests of the typed client as a merchant makes them, each under a new reference; a test overrides the fields it needs.

/** For bank transfers; with `bankCode` for USSD, with `card` for cards. */
export function order<More extends object = object>(over: More = {} as More) {
  return {
    email: 'ada@example.com',
    amount: parseAmount('1000.50'),
    currency: 'NGN',
    reference: newReference('order'),
    ...over,
  };
}

export function mobileMoney<More extends object = object>(over: More = {} as More) {
  return { ...order({ currency: 'KES' }), phone: '254700000001', bankName: 'Sandbox Mobile Money Kenya', ...over };
}

export function payout(over: Partial<PayoutRequest> = {}): PayoutRequest {
  return {
    currency: 'NGN',
    amount: parseAmount('1500.50'),
    bankCode: '990001',
    bankName: 'Sandbox Bank One',
    accountNumber: '0000000001',
    narration: 'Invoice 17',
    reference: newReference('payout'),
    ...over,
  };
}

export function checkoutSession(over: Partial<CheckoutRequest> = {}): CheckoutRequest {
  return {
    reference: newReference('order'),
    amount: parseAmount('250'),
    currency: 'NGN',
    email: 'ada@example.com',
    name: 'Ada',
    callbackUrl: 'https://shop.example/thanks',
    ...over,
  };
}
