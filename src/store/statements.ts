import type { ShownLines } from '../domain/balance/book-lines.ts';
import type { Account, StatementLine, StatementTotals, UnparsedRow } from '../domain/statements/statement.ts';
import type { ImportRefusal } from '../domain/statements/statement-import.ts';
import type { ByPerson } from './audit.ts';
import type { Cursor } from './cursor.ts';
import type { Count, Page } from './records.ts';

/*
 * The part of the port for statements. A statement is imported in three steps: `begin`, `keep` for each chunk of rows, and
 * `finish`, with which it shows, whole. One that was never finished shows nowhere, and the next `begin` of the account
 * deletes it. Lines are a multiset per account, by fingerprint and occurrence (lines of one fingerprint say the same, their
 * date too): a line that another statement of the account has is known, and kept once. What deletes many rows does so in
 * short transactions, a call each: the caller repeats the call until nothing is left. Times are milliseconds since 1970, by
 * the store's own clock.
 */

export interface StatementFile {
  /** The name without its folder. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** The profile that reads a file. A name stands for one content: an import with another one is refused. */
export interface StatementProfile {
  readonly name: string;
  /** sha256 of the profile's text. */
  readonly digest: string;
  readonly text: string;
}

export interface ImportOrder {
  readonly account: Account;
  readonly file: StatementFile;
  readonly profile: StatementProfile;
}

export type Begun =
  | { readonly outcome: 'begun'; readonly statement: number }
  /** What a dead import or a removed statement left is being deleted: call again. */
  | { readonly outcome: 'clearing' }
  | ImportRefusal;

export interface KeptRows {
  readonly statement: number;
  readonly lines: readonly StatementLine[];
  readonly unparsed: readonly UnparsedRow[];
}

export interface KeptCount {
  readonly new: number;
  readonly known: number;
}

/** What one call took out. */
export interface Removed {
  /** Lines that no other statement has, and which are gone now. */
  readonly lines: number;
  /** Lines that another statement has, too. */
  readonly left: number;
  /** Matches of the lines that are gone: they are ended, and stay in the log. */
  readonly matches: number;
  /** False: call again, to delete what is left. The statement shows nowhere once its digest was taken, by the first calls. */
  readonly done: boolean;
}

/** Rows of one `keep`: a transaction of some 30 ms. */
export const MOST_ROWS_KEPT = 2_000;
/** Rows deleted or handed over by one call. To hand a line over costs three times as much as to keep it. */
export const MOST_ROWS_CLEARED = 300;

/** `importing` and `abandoned` show nowhere; of `removing` and `removed` only the entry in the list is left. */
export const STATEMENT_STATES = ['importing', 'imported', 'abandoned', 'removing', 'removed'] as const;
export type StatementState = (typeof STATEMENT_STATES)[number];

export interface Statements {
  readonly begin: (order: ImportOrder & ByPerson) => Promise<Begun>;
  /** At most MOST_ROWS_KEPT rows, lines and unreadable ones together. Renews the lease; rejects when another import has taken over. */
  readonly keep: (rows: KeptRows) => Promise<KeptCount>;
  /**
   * Shows the statement, with its entry in the audit chain; call it until it is done: the digest of many lines is taken a piece
   * per call. Rejects when another import has taken over, or when `totals` counts other rows than were kept.
   */
  readonly finish: (
    order: { readonly statement: number; readonly totals: StatementTotals } & ByPerson,
  ) => Promise<{ readonly done: boolean }>;
  /** Deletes a statement that was begun and not finished; call it until it is done. */
  readonly abandon: (order: { readonly statement: number }) => Promise<{ readonly done: boolean }>;
  /** What `begin` and `keep` would say; writes nothing. For `--dry-run`. */
  readonly previewBegin: (order: ImportOrder) => Promise<ImportRefusal | { readonly outcome: 'new' }>;
  readonly previewKeep: (order: Omit<KeptRows, 'statement'> & { readonly account: Account }) => Promise<KeptCount>;
  /**
   * Takes a statement out, with its lines that no other statement has; its entry stays in the list. Call it until it is done.
   * Null: there is none, or it is removed already.
   */
  readonly remove: (order: { readonly statement: number } & ByPerson) => Promise<Removed | null>;
}

export interface StatementFilter {
  readonly account?: string;
  readonly environment?: Account['environment'];
  /** Also those that were removed. */
  readonly removed?: boolean;
}

export interface StatementSummary extends StatementTotals {
  readonly statement: number;
  readonly account: Account;
  readonly file: StatementFile;
  readonly profile: Pick<StatementProfile, 'name' | 'digest'>;
  readonly importedAtMs: number;
  readonly removedAtMs: number | null;
  /** Lines that no earlier statement of the account had. */
  readonly new: number;
}

/** A line with the statement that shows it, the first one. */
export interface PlacedLine {
  readonly lineId: number;
  readonly account: Account;
  readonly statement: number;
  /** When that statement was imported. */
  readonly importedAtMs: number;
  readonly line: StatementLine;
}

/** The read side; part of `Archive`. */
export interface StatementArchive {
  /** A page of the statements that show. */
  readonly statements: (filter: StatementFilter, page: Page) => Promise<StatementSummary[]>;
  readonly countStatements: (filter: StatementFilter) => Promise<Count>;
  /** Also one that was removed. */
  readonly statement: (id: number) => Promise<StatementSummary | null>;
  /** The lines of a statement that shows in the order of its rows, also those that another statement had first. */
  readonly statementLines: (order: {
    readonly statement: number;
    readonly after: Cursor | null;
    readonly limit: number;
  }) => Promise<{ readonly lines: StatementLine[]; readonly next: Cursor | null }>;
  /** A row of a statement that shows; null: it is no line, or shows no more. */
  readonly lineAt: (place: { readonly statement: number; readonly row: number }) => Promise<PlacedLine | null>;
  /**
   * Lines that show and name the reference: as such, as their session id or as their transaction reference; the first `limit`.
   * Reads every line: a million take 0.1 s.
   */
  readonly linesNaming: (reference: string, limit: number) => Promise<PlacedLine[]>;
  /** The same of many references in one walk: lines that name at least one of them. */
  readonly linesNamingAny: (references: readonly string[], limit: number) => Promise<PlacedLine[]>;
  readonly unparsedRows: (statement: number) => Promise<UnparsedRow[]>;
  /**
   * The lines of an account in these days, both included, by the day and the statements that show them; these may be on their way in or
   * out.
   */
  readonly bookLines: (order: {
    readonly account: Account;
    readonly currency: string;
    readonly from: string;
    readonly to: string;
  }) => Promise<ShownLines[]>;
  readonly profileOf: (statement: number) => Promise<StatementProfile | null>;
}
