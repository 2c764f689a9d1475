import type { Credential } from '../domain/access/proof.ts';
import type { DiskSpace } from '../domain/alerts/disk.ts';
import type { AuditVerdict } from '../domain/audit/fault.ts';
import type { Head } from '../domain/audit/head.ts';
import type { KeyPair } from '../domain/environment.ts';
import type { Archive, ArchiveOptions, QueryOrder, QueryResult } from './archive.ts';
import type { ClusterPort } from './cluster-port.ts';
import type { Inbox, InboxOptions } from './inbox.ts';
import type { LibraryStore } from './library.ts';
import type { Operations } from './operations.ts';
import type { OperationsChannel } from './operations-channel.ts';
import type { Upkeep } from './upkeep.ts';

/**
 * One database. Nothing is opened until a part is, and each part is closed by itself. Several processes may use one database
 * at the same time.
 *
 * Every part rejects with a StoreError when the database is missing (where it is not made), is not ours, cannot be read or
 * written, or has an older or newer schema.
 */
export interface Store extends LibraryStore {
  /** Names the database on this machine: a copy has another name. Null while there is none. */
  readonly identity: () => string | null;
  /** Room on the disk that holds the database; null where it cannot be asked. */
  readonly disk: () => DiskSpace | null;
  /**
   * Opens the write side for `serve`: makes a missing database and migrates an older one. On a full disk it resolves before the database is
   * open: `keep` and the operations reject with `disk_full` until there is space (BooksWork `opening`).
   */
  readonly inbox: (options: InboxOptions) => Promise<OpenInbox>;
  /** Opens the read side. */
  readonly archive: (options?: ArchiveOptions) => Promise<Archive>;
  /**
   * Opens what jobs and commands write. `create` makes a missing database; `credential` proves whose acts these are
   * (domain/access/proof).
   */
  readonly operations: (options?: {
    readonly create?: boolean;
    readonly credential?: Credential | null;
  }) => Promise<OpenOperations>;
  /**
   * Compares the whole chain of the audit, its signature, and every row of the covered tables with its last entry, on one state of the
   * database. `noted`: a head that must be in the chain. A covered table that is not there is a verdict, not an error. `onProgress` gets the
   * rows of the chain that were looked at, and how many that will be.
   *
   * @throws StoreError `audit_key` when there are entries and no key
   */
  readonly auditVerdict: (order: {
    readonly noted: Head | null;
    readonly onProgress?: (done: number, total: number) => void;
  }) => Promise<AuditVerdict>;
  /**
   * One SELECT, read-only, beside this process, which goes on meanwhile; ended by `signal` and at its time limit.
   *
   * @throws TallyhookError when the statement is wrong or does more than read, and when it was ended
   */
  readonly query: (order: QueryOrder, signal: AbortSignal) => Promise<QueryResult>;
  readonly upkeep: Upkeep;
  /** The log that this machine shares with others; null for a machine alone. */
  readonly cluster: ClusterPort | null;
}

/** The inbox, and the operations of its process. */
export interface OpenInbox extends Inbox {
  /** Operations for this thread, without a credential. */
  readonly operations: Operations;
  /** A channel for another thread of this process. */
  readonly connectOperations: () => OperationsChannel;
  /** The process stops: what waits for a lock of the database then gives up after `afterMs`, and the row check with it. */
  readonly endWaits: (afterMs: number) => void;
  /** The key pairs that this process receives with changed: other machines ask for them. Means nothing on a machine alone. */
  readonly noteKeys: (keyPairs: readonly KeyPair[]) => void;
}

export interface OpenOperations extends Operations {
  /** The same as the acts of another person. */
  readonly as: (credential: Credential | null) => Operations;
  readonly close: () => Promise<void>;
}
