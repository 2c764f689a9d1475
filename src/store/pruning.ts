import type { RecordKind } from '../domain/records/lifecycle.ts';
import type { ByPerson } from './audit.ts';

/*
 * The part of the port that deletes old bodies and personal data. Keys and digests stay for ever: they decide whether a
 * delivery is a duplicate. Times are milliseconds since 1970.
 */

/** A place in the order of pruning: the records of each kind in turn, then events without a record. */
export type PrunePlace =
  | { readonly among: RecordKind; readonly changedAtMs: number; readonly id: number }
  | { readonly among: 'unknown'; readonly reference: string; readonly id: number };

/** Erasing is an act: what is the first to erase for one `beforeMs` enters it in the audit chain. */
export interface Erasing extends ByPerson {
  /** Only what is older: a record by its last change, an event without a record by its last delivery. */
  readonly beforeMs: number;
}

export interface PruneOrder extends Erasing {
  /** Begin behind this place; null: at the beginning. */
  readonly after: PrunePlace | null;
}

export interface Prunable {
  /** Records that lose their personal data and the bodies of their events. */
  readonly records: number;
  /** Bodies of events and variants, and their bytes. */
  readonly events: number;
  readonly variants: number;
  readonly bytes: number;
}

export interface PruneStep extends Prunable {
  /** Where the next step begins; null at the end. */
  readonly next: PrunePlace | null;
}

export interface Space {
  readonly databaseBytes: number;
  /** Of these, bytes that were freed and that the next events reuse; a backup has none. */
  readonly freeBytes: number;
}

export interface Pruning {
  /** Counts what `prune` would delete, one short step at a time. Writes nothing. */
  readonly survey: (order: PruneOrder) => Promise<PruneStep>;
  /**
   * Deletes one step's worth in one short transaction: of settled records that are no longer watched or expected and have
   * no open finding, and of events of no known kind. Records with news since the step was planned are left.
   */
  readonly prune: (order: PruneOrder) => Promise<PruneStep>;
  /** Removes addresses and user agents from samples of refused requests that are as old; returns how many samples. */
  readonly forgetAddresses: (order: Erasing) => Promise<number>;
  /** Removes the service's messages from refused requests that are as old: they may name a person. Returns how many. */
  readonly forgetRefusals: (order: Erasing) => Promise<number>;
  /** Counts what `pruneBooks` would erase, one short step at a time. Writes nothing. */
  readonly surveyBooks: (order: BookOrder) => Promise<BookStep>;
  /** Erases one step's worth of what closed periods keep of people, each with its entry in the audit chain. */
  readonly pruneBooks: (order: BookOrder & ByPerson) => Promise<BookStep>;
  readonly space: () => Promise<Space>;
}

/** What is erased of closed periods. Figures and fingerprints stay. */
export type BookPart =
  /** What lines of statements say: text and counterparty. */
  | 'texts'
  /** Of exceptions and of decisions about matches. */
  | 'comments'
  /** The bytes that closings froze; their digests stay. */
  | 'reports';

export interface BookOrder {
  readonly part: BookPart;
  /** Of periods that end before this day, `yyyy-MM-dd`, and are closed. */
  readonly beforeDay: string;
  /** A comment must be older than this, too. */
  readonly beforeMs: number;
}

export interface BookStep {
  /** Lines, comments or reports that this step erased, or would. */
  readonly count: number;
  /** False: the same call goes on. */
  readonly done: boolean;
}

export const NOTHING_PRUNED: Prunable = { records: 0, events: 0, variants: 0, bytes: 0 };

export function addPruned(one: Prunable, other: Prunable): Prunable {
  return {
    records: one.records + other.records,
    events: one.events + other.events,
    variants: one.variants + other.variants,
    bytes: one.bytes + other.bytes,
  };
}
