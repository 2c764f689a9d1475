import type { ByPerson } from './audit.ts';

/** Why a log cannot be given up; null: it is. */
export interface LostLog {
  readonly refused: 'no log known' | 'log is there' | null;
  /** The file that is lost, or is in the way. */
  readonly file: string;
  /** The last entry that was carried out: what was acknowledged behind it, and is not among `left`, is lost. */
  readonly carriedOut: number;
  /** Deliveries in what is left of the log: the next start carries them out. Null: the log is gone. */
  readonly left: number | null;
}

/** One group of the operations: what a person decides about the log of deliveries. */
export interface Log {
  /** Goes on without a log, or its write-ahead log, that is lost: the next start of the receiver makes a new one. Entered in the audit. */
  readonly lose: (order: ByPerson & { readonly dryRun: boolean }) => Promise<LostLog>;
}
