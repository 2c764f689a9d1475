import type { Money } from './money.ts';

/**
 * The records of the sandbox. Words: an environment is `test` or `live`; a scope is one merchant in one environment, and
 * no request of one scope can read the records of another; a lot is collected money that settles at one moment.
 */
export type Environment = 'test' | 'live';
export const ENVIRONMENTS = ['test', 'live'] as const satisfies readonly Environment[];

export const CURRENCIES = ['NGN', 'KES', 'GHS', 'USD'] as const;
export type Currency = (typeof CURRENCIES)[number];
export const PAYOUT_CURRENCIES = ['NGN', 'KES', 'GHS'] as const satisfies readonly Currency[];
export type PayoutCurrency = (typeof PAYOUT_CURRENCIES)[number];

export interface KeyPair {
  readonly publicKey: string;
  readonly secretKey: string;
}

/** A fee: `percent` of the amount plus `flat`, both decimal texts. */
export interface Fee {
  readonly percent: string;
  readonly flat: string;
}

export interface Agreement {
  readonly collectionFee: Fee;
  readonly refundFee: Fee;
  readonly payoutFees: Readonly<Record<PayoutCurrency, string>>;
}

export interface Merchant {
  readonly id: string;
  readonly name: string;
  /** The current pair, and the one before it, which signs only under the chaos rule `wrong_key`. */
  readonly keys: Record<Environment, { current: KeyPair; retired: KeyPair }>;
  readonly webhookUrls: Record<Environment, string | null>;
  agreement: Agreement;
  /** Payload encryption (interface 5.4, decision 86), hexadecimal; null while it is off. */
  encryption: { readonly keyHex: string; readonly ivHex: string } | null;
  /** Wallet codes with their currency; `wallet_code` is checked only when one exists (decision 57). */
  readonly wallets: Record<Environment, Record<string, Currency>>;
}

export interface Scope {
  readonly merchant: Merchant;
  readonly environment: Environment;
}

export type Channel = 'card' | 'bank_transfer' | 'ussd' | 'momo';
export const COLLECTION_STATUSES = ['pending', 'success', 'failed', 'cancelled', 'abandoned', 'reversed'] as const;
export type CollectionStatus = (typeof COLLECTION_STATUSES)[number];

export interface Past<Status extends string> {
  readonly atMs: number;
  readonly status: Status;
  readonly updatedAt: string;
}

export interface Collection {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly reference: string;
  channel: Channel;
  readonly version: 'v1' | 'legacy' | 'inline';
  readonly currency: Currency;
  /** Requested by the merchant, charged to the payer, kept by the service (decision 48). */
  readonly requested: Money;
  readonly charged: Money;
  /** With the tax on it. */
  readonly fee: Money;
  readonly tax: Money;
  readonly customer: { readonly email: string | null; readonly name: string | null; phone: string | null };
  readonly walletCode: string | null;
  cardLast4: string | null;
  status: CollectionStatus;
  gatewayResponse: string;
  readonly createdAt: string;
  updatedAt: string;
  paidAt: string | null;
  readonly refunds: string[];
  readonly chargebacks: string[];
  readonly checkout: CheckoutSession | null;
  readonly history: Past<CollectionStatus>[];
}

export const PAYMENT_OPTIONS = ['card', 'bank_transfer', 'momo'] as const;
export type PaymentOption = (typeof PAYMENT_OPTIONS)[number];

export interface CheckoutSession {
  readonly accessCode: string;
  readonly callbackUrl: string;
  readonly paymentOptions: readonly PaymentOption[];
}

export const REFUND_STATUSES = [
  'awaiting_settlement',
  'pending',
  'processing',
  'success',
  'failed',
  'rejected',
] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

export interface Funding {
  readonly status: 'awaiting_settlement' | 'funded' | 'released';
  readonly availableReserved: Money;
  readonly pendingReserved: Money;
  readonly pendingFunded: Money;
  readonly fundedAt: string | null;
}

export interface Refund {
  readonly reference: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly transactionReference: string;
  readonly amount: Money;
  /** With the tax on it. */
  readonly fee: Money;
  readonly tax: Money;
  readonly currency: Currency;
  readonly merchantNote: string | null;
  status: RefundStatus;
  funding: Funding;
  externalReference: string | null;
  readonly requestedAt: string;
  completedAt: string | null;
  updatedAt: string;
  readonly history: (Past<RefundStatus> & { readonly funding: Funding; readonly completedAt: string | null })[];
}

export const PAYOUT_STATUSES = ['pending', 'success', 'failed', 'reversed'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

export interface Payout {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly reference: string;
  readonly currency: PayoutCurrency;
  readonly amount: Money;
  /** With the tax on it. */
  readonly fee: Money;
  readonly tax: Money;
  readonly stampDuty: Money;
  readonly bankCode: string;
  readonly bankName: string;
  readonly accountNumber: string;
  readonly accountName: string;
  readonly narration: string;
  readonly walletCode: string | null;
  readonly sessionId: string;
  status: PayoutStatus;
  gatewayResponse: string;
  readonly createdAt: string;
  updatedAt: string;
  readonly history: Past<PayoutStatus>[];
}

export const scopeKey = (owner: { merchantId: string; environment: Environment }): string =>
  `${owner.merchantId}/${owner.environment}`;

export const recordKey = (owner: { merchantId: string; environment: Environment }, reference: string): string =>
  `${scopeKey(owner)}/${reference}`;
