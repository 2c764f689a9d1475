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

const TEXT_PLACE = 'after ';

/** A place in an order of texts: behind this one. */
export function cursorBehind(text: string): Cursor {
  return `${TEXT_PLACE}${text}` as Cursor;
}

/** The text before a place; '' for null, the beginning. Throws a StoreError for another cursor. */
export function textBefore(cursor: Cursor | null): string {
  if (cursor === null) return '';
  if (cursor.startsWith(TEXT_PLACE)) return cursor.slice(TEXT_PLACE.length);
  throw new StoreError('other', `${JSON.stringify(cursor)} is not a place in this order.`);
}
