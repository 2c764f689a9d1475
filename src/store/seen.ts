import type { ByPerson } from './audit.ts';

/*
 * The part of the port for what persons have looked at of what was turned away or not understood: what came later is new. Times are
 * milliseconds since 1970.
 */

/** Lists that a person looks through. */
export const SEEN_LISTS = ['refused', 'quarantine'] as const;
export type SeenList = (typeof SEEN_LISTS)[number];

/** How far a list was looked through, and by whom last. */
export interface SeenMark {
  readonly list: SeenList;
  readonly upToMs: number;
  readonly by: string;
  readonly atMs: number;
}

/** One group of the operations. Each act is entered in the audit. */
export interface Seen {
  /** Never goes back; false when so much was seen already. */
  readonly mark: (order: { readonly list: SeenList; readonly upToMs: number } & ByPerson) => Promise<boolean>;
}

/** The read side; part of `Archive`. */
export interface SeenArchive {
  /** Null: no person has looked through it yet. */
  readonly seenMark: (list: SeenList) => Promise<SeenMark | null>;
}

/** Whether what came, or came last, at this time was seen. */
export function isSeen(mark: SeenMark | null, atMs: number): boolean {
  return mark !== null && atMs <= mark.upToMs;
}
