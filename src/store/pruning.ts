import type { RecordKind } from '../domain/lifecycle.ts';

/*
 * The part of the port that deletes old bodies and personal data. Keys and digests stay for ever: they decide whether a
 * delivery is a duplicate. Times are milliseconds since 1970.
 */

/** A place in the order of pruning: the records of each kind in turn, then events without a record. */
export type PrunePlace =
  | { readonly among: RecordKind; readonly changedAtMs: number; readonly id: number }
  | { readonly among: 'unknown'; readonly reference: string; readonly id: number };

export interface PruneOrder {
  /** Only what is older: a record by its last change, an event without a record by its last delivery. */
  readonly beforeMs: number;
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
  readonly forgetAddresses: (order: { readonly beforeMs: number }) => Promise<number>;
  /** Removes the service's messages from refused requests that are as old: they may name a person. Returns how many. */
  readonly forgetRefusals: (order: { readonly beforeMs: number }) => Promise<number>;
  readonly space: () => Promise<Space>;
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
