import type { IntakeEntry } from '../domain/statements/statement-intake.ts';

/* The part of the port for the statements folder: what became of each file that lies there. */

export interface Intake {
  /** Notes what became of a file, in the place of what was noted before. */
  readonly note: (entry: IntakeEntry) => Promise<void>;
  /** Forgets files that lie in the folder no more; at most MOST_FORGOTTEN of them. */
  readonly forget: (order: { readonly paths: readonly string[] }) => Promise<void>;
}

/** The read side; part of `Archive`. */
export interface IntakeArchive {
  /** Every file that was noted, by path. */
  readonly intake: () => Promise<IntakeEntry[]>;
}

/** Files forgotten by one call: a transaction of some milliseconds. */
export const MOST_FORGOTTEN = 500;
