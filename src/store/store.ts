import type { Head } from '../domain/audit/head.ts';
import type { AuditVerdict } from '../domain/audit/verdict.ts';
import type { CheckRules } from '../domain/next-check.ts';
import type { RequestJournal, StartedRecord } from '../domain/request.ts';
import type { Secret } from '../domain/secret.ts';
import type { Clock } from '../time/clock.ts';
import type { Archive } from './archive.ts';
import type { Proofs } from './checks.ts';
import type { InboxOptions, OpenInbox } from './inbox.ts';
import type { Operations } from './operations.ts';
import type { Upkeep } from './upkeep.ts';

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
}

/**
 * One database. Nothing is opened until a part is, and each part is closed by itself. Several processes may use one database
 * at the same time.
 *
 * Every part rejects with a StoreError when the database is missing (where it is not made), is not ours, cannot be read or
 * written, or has an older or newer schema.
 */
export interface Store {
  /** Names the database on this machine: a copy has another name. Null while there is none. */
  readonly identity: () => string | null;
  /** Opens the write side for `serve`: makes a missing database and migrates an older one. */
  readonly inbox: (options: InboxOptions) => Promise<OpenInbox>;
  /** Opens the read side. */
  readonly archive: () => Promise<Archive>;
  /** Opens what jobs and commands write. `create` makes a missing database. */
  readonly operations: (options?: { readonly create?: boolean }) => Promise<OpenOperations>;
  /** Opens the journal of our requests; makes a missing database. */
  readonly requestJournal: () => Promise<OpenJournal>;
  /**
   * Compares the whole chain of the audit, its signature, and every row of the covered tables with its last entry, on one state of the
   * database. `noted`: a head that must be in the chain. A covered table that is not there is a verdict, not an error.
   *
   * @throws StoreError `audit_key` when there are entries and no key
   */
  readonly auditVerdict: (order: { readonly noted: Head | null }) => Promise<AuditVerdict>;
  readonly upkeep: Upkeep;
}

export interface OpenOperations extends Operations {
  readonly close: () => Promise<void>;
}

/** The journal of our requests on disk. A resolved call is on disk; `close` waits for the calls under way. */
export interface OpenJournal extends RequestJournal, Proofs {
  /** Tracks a record that was started by other means, so that it is checked. */
  readonly track: (record: StartedRecord) => Promise<void>;
  readonly close: () => Promise<void>;
}
