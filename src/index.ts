/*
 * Tallyhook as a library: the receiver as a Fastify plugin, and signatures for your own code and tests.
 *
 *   const inbox = await openStore('events.db').inbox({ limit: 10_000, onFatal });
 *   await app.register(receiver, { keyRings: new KeyRings(keyPairs), keep: (delivery) => inbox.keep(delivery), … });
 */

import type { LibraryStore, StoreOptions } from './store/library.ts';
import { openStore as openWholeStore } from './store/open.ts';

export { type Config, loadConfig } from './config/load.ts';
export type { SweepResult } from './confirm/sweep-result.ts';
export { type Expecting, type OpenTracking, openTracking, type TrackingOptions } from './confirm/tracking.ts';
export { ExpectationError, type ExpectedField } from './domain/expectations/expectation-input.ts';
export type {
  ConfirmedNews,
  ConfirmedNewsOf,
  KnownStatus,
  News,
  NewsData,
  ReceivedNews,
  TestNews,
} from './domain/forwarding/news.ts';
export {
  signVerdict,
  VERDICTS,
  type Verdict,
  type VerdictCheck,
  type VerdictCode,
  type VerdictFailure,
  verifyVerdict,
} from './domain/requests/callback-verdict.ts';
export type { OnConfirmed } from './forward/in-process.ts';
export * from './receive/index.ts';
export { KeyRings } from './receive/key-rings.ts';
export { receiver } from './receive/receiver.ts';
export type { ReceiverOptions } from './receive/receiver-options.ts';
export type { HostApplication } from './serve/http-server.ts';
export { startTallyhook, type Tallyhook, type TallyhookOptions } from './serve/tallyhook.ts';
export { StoreError, type StoreFault } from './store/error.ts';
export type { Delivery, Inbox, InboxOptions, Kept, Refusal } from './store/inbox.ts';
export type { LibraryStore, OpenJournal, StoreOptions } from './store/library.ts';
export type { Forgotten, Tracked } from './store/tracking.ts';
export { type Clock, systemClock } from './time/clock.ts';

/**
 * The database at `location`, the path of a file. Nothing is opened until a part is.
 *
 * @throws TallyhookError for an address, such as that of a database server
 */
export const openStore: (location: string, options?: StoreOptions) => LibraryStore = openWholeStore;
