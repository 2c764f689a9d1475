import type { CheckRules } from '../domain/checks/next-check.ts';
import type { RequestJournal, StartedRecord } from '../domain/requests/request.ts';
import type { Secret } from '../domain/secrets/secret.ts';
import type { Clock } from '../time/clock.ts';
import type { Proofs } from './checks.ts';
import type { ClusterOptions } from './cluster-options.ts';
import type { Inbox, InboxOptions } from './inbox.ts';

// What programs of others use of a store. The published types reach no further than this file: nothing of an engine, and no part
// of the port that changes with our own commands.

/** What holds for every part of a store. */
export interface StoreOptions {
  /** IANA time zone of times without one (decision 87); default Africa/Lagos. */
  readonly zone?: string;
  /** AES-256-CBC key and IV in hexadecimal, for a merchant whose webhooks may be encrypted (decision 86). */
  readonly encryption?: { readonly keyHex: Secret; readonly ivHex: Secret } | null;
  /** News from webhooks makes a record due this many milliseconds later; default 0. */
  readonly debounceMs?: number;
  readonly checkRules?: CheckRules;
  /** Path of the key file of the audit chain, made by the first act; default `audit.key` beside the database. */
  readonly auditKey?: string;
  /** The store's own clock, default the system's. A test sets it; its time must be `shared`, because engines use threads. */
  readonly clock?: Clock;
  /** The log that this machine shares with others; without it the machine is alone. */
  readonly cluster?: ClusterOptions;
}

/** The parts of a store for programs of others. Each is opened, and closed, by itself. */
export interface LibraryStore {
  /** Opens the write side: makes a missing database and migrates an older one. What it keeps, it also carries out while it is open. */
  readonly inbox: (options: InboxOptions) => Promise<Inbox>;
  /** Opens the journal of our requests; makes a missing database. */
  readonly requestJournal: () => Promise<OpenJournal>;
}

/** The journal of our requests on disk. A resolved call is on disk; `close` waits for the calls under way. */
export interface OpenJournal extends RequestJournal, Proofs {
  /** Tracks a record that was started by other means, so that it is checked. */
  readonly track: (record: StartedRecord) => Promise<void>;
  readonly close: () => Promise<void>;
}
