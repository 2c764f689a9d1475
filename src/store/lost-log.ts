import type { ByPerson } from './audit.ts';

/** Why a log cannot be given up; null: it is. */
export interface LostLog {
  readonly refused: 'no log known' | 'log is there' | null;
  /** The log of these books, by its path. */
  readonly file: string;
  /** The last entry that was carried out: what was acknowledged behind it is lost with the log. */
  readonly carriedOut: number;
}

/** One group of the operations: what a person decides about the log of deliveries. */
export interface Log {
  /** Goes on without a log that is lost: the next start of the receiver makes a new one. Entered in the audit. */
  readonly lose: (order: ByPerson & { readonly dryRun: boolean }) => Promise<LostLog>;
}
