/*
 * The typed client of the payment service, `tallyhook/client`.
 *
 *   const client = createClient({ baseUrl, secretKey, journal: memoryJournal() });
 *   const { refund } = await client.refunds.request({ transactionReference, amount: parseAmount('10.00') });
 *
 * Worked examples: docs/client.md. Which section of the interface is proved by which test: docs/conformance.md.
 */
export { type Amount, AmountError, addAmounts, compareAmounts, formatAmount, parseAmount } from '../domain/amount.ts';
export type { Environment } from '../domain/environment.ts';
export { TallyhookError } from '../domain/error.ts';
export type {
  CollectionVersion,
  KeptRequest,
  RequestIntent,
  RequestJournal,
  RequestState,
  SettledRequest,
  StartedRecord,
  VerificationEndpoint,
} from '../domain/request.ts';
export { Secret } from '../domain/secret.ts';
export { EncryptedCard, type TestCard } from './card.ts';
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
export type { Collection, CollectionStart, CollectionStatus, VirtualAccount } from './collection-record.ts';
export {
  type BankTransferCollection,
  type CardCollection,
  FORCED_STATUSES,
  type ForcedStatus,
  type MobileMoneyCollection,
  type UssdCollection,
  type Wallet,
} from './collection-request.ts';
export type { Collections, StartOptions } from './collections.ts';
export * from './errors/field-errors.ts';
export * from './errors/list-errors.ts';
export * from './errors/outcome-errors.ts';
export * from './errors/refund-errors.ts';
export { type FieldMessages, RefusedError, ServiceError } from './errors/service-error.ts';
export * from './errors/transport-errors.ts';
export * from './errors/usage-errors.ts';
export { type MemoryJournalOptions, memoryJournal } from './memory-journal.ts';
export {
  type CallLimits,
  type CallPolicy,
  STANDARD_LIMITS,
  STANDARD_PATHS,
  type VerificationPaths,
} from './options.ts';
export type { ListLimits, ListOptions } from './paging.ts';
export { type AesKey, aesCbcCodec, type PayloadCodec } from './payload-codec.ts';
export type { Payout, PayoutStatus } from './payout-record.ts';
export type { AccountQuestion, PayoutRequest, WalletPayoutRequest } from './payout-request.ts';
export type { Bank, BankList, PayoutAcceptance, Payouts, SendOptions } from './payouts.ts';
export { newReference } from './references.ts';
export type { Refund, RefundFunding, RefundStatus } from './refund-record.ts';
export type { RefundRequest } from './refund-request.ts';
export type { RefundAcceptance, Refunds } from './refunds.ts';
export type { EndpointState } from './verification.ts';
