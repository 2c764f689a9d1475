/*
 * Tallyhook as a library: the receiver as a Fastify plugin, and signatures for your own code and tests.
 *
 *   const inbox = await openStore('events.db').inbox({ limit: 10_000, onFatal });
 *   await app.register(receiver, { keyRings: new KeyRings(keyPairs), keep: (delivery) => inbox.keep(delivery), … });
 */

export { type Config, loadConfig } from './config/load.ts';
export type { SweepResult } from './confirm/sweep-result.ts';
export { type Expecting, type OpenTracking, openTracking, type TrackingOptions } from './confirm/tracking.ts';
export { ENVIRONMENTS, type Environment, type KeyPair } from './domain/environment.ts';
export { type ErrorKind, TallyhookError } from './domain/error.ts';
export { ExpectationError, type ExpectedField } from './domain/expectation-input.ts';
export type {
  ConfirmedNews,
  ConfirmedNewsOf,
  KnownStatus,
  News,
  NewsData,
  ReceivedNews,
  TestNews,
} from './domain/news.ts';
export { Secret } from './domain/secret.ts';
export {
  signVerdict,
  VERDICTS,
  type Verdict,
  type VerdictCheck,
  type VerdictCode,
  type VerdictFailure,
  verifyVerdict,
} from './domain/verdict.ts';
export type { OnConfirmed } from './forward/in-process.ts';
export { KeyRings } from './receive/key-rings.ts';
export { receiver } from './receive/receiver.ts';
export type { ReceiverOptions } from './receive/receiver-options.ts';
export {
  SIGNATURE_FAILURES,
  SignatureError,
  type SignatureFailure,
  signWebhook,
  type Verification,
  verifySignatures,
} from './receive/signature.ts';
export { startTallyhook, type Tallyhook, type TallyhookOptions } from './serve/tallyhook.ts';
export { StoreError, type StoreFault } from './store/error.ts';
export type { Delivery, Inbox, InboxOptions, Kept, OpenInbox, Refusal } from './store/inbox.ts';
export { openStore } from './store/open.ts';
export type { OpenJournal, Store, StoreOptions } from './store/store.ts';
export type { Forgotten, Tracked } from './store/tracking.ts';
export { type Clock, systemClock } from './time/clock.ts';
