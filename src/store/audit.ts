import type { ActName } from '../domain/audit/acts.ts';
import type { AuditEntry } from '../domain/audit/entry.ts';
import type { Head } from '../domain/audit/head.ts';
import type { Count, Page } from './records.ts';

/*
 * The part of the port that reads the audit chain. Its entries are written by the operations that they are about, each in the
 * transaction that changes the rows; there is no other way to write one.
 */

/** Whose act an order is. */
export interface ByPerson {
  /** The stated name; missing: `tallyhook`, by a job. */
  readonly by?: string;
}

export interface AuditFilter {
  /** Without case. */
  readonly who?: string;
  readonly acts?: readonly ActName[];
  readonly subject?: string;
  /** Not before. */
  readonly sinceMs?: number;
  /** Before. */
  readonly untilMs?: number;
}

export interface SignedHead extends Head {
  /** Of the entry. */
  readonly at: string;
  readonly signature: string;
}

/** The read side; part of `Archive`. */
export interface AuditArchive {
  /** In the order of `seq`, by which they are paged. */
  readonly auditEntries: (filter: AuditFilter, page: Page) => Promise<AuditEntry[]>;
  readonly countAuditEntries: (filter: AuditFilter) => Promise<Count>;
  /** Null: there are no entries. */
  readonly auditHead: () => Promise<SignedHead | null>;
}
