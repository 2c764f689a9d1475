import type { BrokenCell } from './cell.ts';
import { columnNumber } from './sheet-size.ts';

/*
 * Cells of a sheet that show an error, such as #DIV/0! or #N/A. The reader of spreadsheets makes empty cells of them, and an empty fee
 * would be one that the file does not say.
 */

/** Rows and cells carry their place, `<c r="B7">`; the value is a part of its cell. */
const TAG = /<(?:\w+:)?(row|c)(?=[\s/>])([^>]*)>/g;
const PLACE = /\sr\s*=\s*["']([A-Za-z]{0,6})(\d{1,10})["']/;
const IS_ERROR = /\st\s*=\s*["']e["']/;
const VALUE = /^(?:<(?:\w+:)?f\b[^>]*?(?:\/>|>[^<]*<\/(?:\w+:)?f>))?\s*<(?:\w+:)?v[^>]*>([^<]{1,20})</;
/** Characters behind the tag of a cell in which its value is looked for: a formula has 8,192 at most. */
const LOOKED_AT = 9_000;

/** Returns the cells that show an error, by row from 1 and column from 0. */
export function brokenCells(xml: string): ReadonlyMap<number, ReadonlyMap<number, BrokenCell>> {
  const found = new Map<number, Map<number, BrokenCell>>();
  let [row, column] = [0, -1];
  for (const { 0: whole, 1: tag, 2: attributes = '', index } of xml.matchAll(TAG)) {
    const [, letters = '', number] = PLACE.exec(attributes) ?? [];
    if (tag === 'row') {
      [row, column] = [number === undefined ? row + 1 : Number(number), -1];
      continue;
    }
    if (number !== undefined) row = Number(number);
    column = letters === '' ? column + 1 : columnNumber(letters) - 1;
    if (!IS_ERROR.test(attributes)) continue;
    const from = index + whole.length;
    const [, text = '#N/A'] = VALUE.exec(xml.slice(from, from + LOOKED_AT)) ?? [];
    const cells = found.get(row) ?? new Map<number, BrokenCell>();
    found.set(row, cells.set(column, { kind: 'error', text }));
  }
  return found;
}
