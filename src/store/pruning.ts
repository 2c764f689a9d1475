import type { RecordKind } from '../domain/lifecycle.ts';

/*
 * The part of the port that lets old contents and personal data go. What decides about a delivery stays for ever: keys and
 * digests. Times are milliseconds since 1970.
 */

/** Where to look: the records of one kind, then of the next, then events that are about no record. */
export type PrunePlace =
  | { readonly among: RecordKind; readonly changedAtMs: number; readonly id: number }
  | { readonly among: 'unknown'; readonly reference: string; readonly id: number };

export interface PruneOrder {
  /** Nothing younger: a record by its last change, an event of no record by its last delivery. */
  readonly beforeMs: number;
  /** Behind this; null: from the beginning. */
  readonly after: PrunePlace | null;
}

export interface Prunable {
  /** Records that lose their personal data, and the bodies of their events. */
  readonly records: number;
  /** Bodies of events and variants, and their bytes. */
  readonly events: number;
  readonly variants: number;
  readonly bytes: number;
}

export interface PruneStep extends Prunable {
  /** Where to go on; null: there is no more. */
  readonly next: PrunePlace | null;
}

export interface Space {
  readonly databaseBytes: number;
  /**
   * Of these, whole free pages, which the next events take. A body of less than a page leaves room inside its page, which
   * nothing takes again: a copy is compact, the file is not.
   */
  readonly freeBytes: number;
}

export interface Pruning {
  /** What could go, counted in short steps. Changes nothing. */
  survey(order: PruneOrder): Promise<PruneStep>;
  /**
   * Lets some of it go, in one short transaction. Only settled records that nobody watches or expects any more and that have
   * no open finding, and events of no known kind. Whatever is new since it was looked at stays.
   */
  prune(order: PruneOrder & { readonly nowMs: number }): Promise<PruneStep>;
  /** Takes the addresses out of samples of refused requests that are as old; returns how many. */
  forgetAddresses(order: { readonly beforeMs: number }): Promise<number>;
  space(order: Readonly<Record<string, never>>): Promise<Space>;
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
