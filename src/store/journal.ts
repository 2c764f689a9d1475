import type { NumberedEntry } from '../domain/journal/entry.ts';
import type { JournalGrouping } from '../domain/journal/words.ts';

/*
 * The part of the port for the journal. Its entries are written by the close of their period, in its transaction, and never
 * again.
 */

/** What a closing of a period adds to its journal. */
export interface JournalOrder {
  readonly set: string;
  readonly period: string;
  /** How movements are grouped: from the first closing on the same. */
  readonly by: JournalGrouping;
  readonly entries: readonly NumberedEntry[];
}

/** The kept journal of a period. */
export interface KeptJournal {
  readonly set: string;
  readonly period: string;
  /** Null: the first closing had nothing to enter. */
  readonly by: JournalGrouping | null;
  /** In the order of their numbers. */
  readonly entries: readonly NumberedEntry[];
}

/** The read side; part of `Archive`. */
export interface JournalArchive {
  /** The entries of every closing of a period; none: it was never closed, or nothing moved. */
  readonly journal: (set: string, period: string) => Promise<KeptJournal>;
}
