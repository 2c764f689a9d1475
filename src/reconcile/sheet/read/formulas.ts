// Formula cells of a sheet: the reader of rows returns what a formula gave last, which a person never wrote.

/** Rows and cells carry their place, `<c r="B7">`; a formula is the first part of its cell. */
const TAG = /<(?:\w+:)?(row|c|f)(?=[\s/>])([^>]*)>/g;
const PLACE = /\sr\s*=\s*["']([A-Za-z]{0,6})(\d{1,10})["']/;

/** Returns the columns, from 0, with a formula, by row from 1. */
export function formulaCells(xml: string): ReadonlyMap<number, ReadonlySet<number>> {
  const found = new Map<number, Set<number>>();
  let [row, column] = [0, -1];
  for (const [, tag, attributes = ''] of xml.matchAll(TAG)) {
    if (tag === 'f') {
      const columns = found.get(row) ?? new Set();
      found.set(row, columns.add(column));
      continue;
    }
    const [, letters = '', number] = PLACE.exec(attributes) ?? [];
    if (tag === 'row') [row, column] = [number === undefined ? row + 1 : Number(number), -1];
    else {
      if (number !== undefined) row = Number(number);
      column = letters === '' ? column + 1 : columnOf(letters);
    }
  }
  return found;
}

/** 26 for `AA`. */
function columnOf(letters: string): number {
  let number = 0;
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number - 1;
}
