/*
 * The typed client of the payment service, `tallyhook/client`.
 *
 *   const client = createClient({ baseUrl, secretKey, journal: memoryJournal() });
 *   const { refund } = await client.refunds.request({ transactionReference, amount: parseAmount('10.00') });
 *
 * Worked examples: docs/client.md. Tests per section of the interface: docs/conformance.md.
 */

export type { Environment } from '../domain/environment.ts';
export { TallyhookError } from '../domain/error.ts';
export {
  type Amount,
  AmountError,
  addAmounts,
  compareAmounts,
  formatAmount,
  parseAmount,
} from '../domain/money/amount.ts';
export { type AesKey, aesCbcCodec, type PayloadCodec } from '../domain/requests/payload-codec.ts';
export type {
  CollectionVersion,
  KeptRequest,
  RequestIntent,
  RequestJournal,
  RequestState,
  SettledRequest,
  StartedRecord,
  VerificationEndpoint,
} from '../domain/requests/request.ts';
export { Secret } from '../domain/secrets/secret.ts';
export type { StatusOptions } from './calls/answer-about.ts';
export type { ListLimits, ListOptions } from './calls/paging.ts';
export { newReference } from './calls/references.ts';
export type { EndpointState } from './calls/verification.ts';
export {
  type Checkout,
  type CheckoutOptions,
  type CheckoutRequest,
  type CheckoutSession,
  createCheckout,
  PAYMENT_OPTIONS,
  type PaymentOption,
  type PublicKey,
} from './checkout.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export { EncryptedCard, type TestCard } from './collections/card.ts';
export type { Collections, StartOptions } from './collections/collections.ts';
export type { Collection, CollectionStart, CollectionStatus, VirtualAccount } from './collections/record.ts';
export {
  type BankTransferCollection,
  type CardCollection,
  FORCED_STATUSES,
  type ForcedStatus,
  type MobileMoneyCollection,
  type UssdCollection,
  type Wallet,
} from './collections/request.ts';
export * from './errors/field-errors.ts';
export * from './errors/list-errors.ts';
export * from './errors/outcome-errors.ts';
export * from './errors/refund-errors.ts';
export { type FieldMessages, RefusedError, ServiceError } from './errors/service-error.ts';
export * from './errors/transport-errors.ts';
export * from './errors/usage-errors.ts';
export { type MemoryJournalOptions, memoryJournal } from './journal/memory.ts';
export {
  type CallLimits,
  type CallPolicy,
  STANDARD_LIMITS,
  STANDARD_PATHS,
  type VerificationPaths,
} from './options.ts';
export type { Bank, BankList } from './payouts/banks.ts';
export type { PayoutAcceptance, Payouts, SendOptions } from './payouts/payouts.ts';
export type { Payout, PayoutStatus } from './payouts/record.ts';
export type { AccountLookup, PayoutRequest, WalletPayoutRequest } from './payouts/request.ts';
export type { Refund, RefundFunding, RefundStatus } from './refunds/record.ts';
export type { RefundAcceptance, Refunds } from './refunds/refunds.ts';
export type { RefundRequest } from './refunds/request.ts';
