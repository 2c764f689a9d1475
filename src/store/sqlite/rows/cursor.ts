import type { Cursor } from '../../cursor.ts';
import { StoreError } from '../../error.ts';

/*
 * A cursor of this engine is the last id before its place. Ids are committed in their order and without gaps, because one
 * writer at a time gives them.
 */

export function cursorOf(id: number): Cursor {
  return String(id) as Cursor;
}

/** The last id before a place; 0 for null, the beginning. Throws a StoreError for a cursor of another engine. */
export function idOf(cursor: Cursor | null): number {
  if (cursor === null) return 0;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new StoreError('other', `${JSON.stringify(cursor)} is not a place in this database.`);
}
