import { BROKEN, type Cell, spreadsheetDigits } from './cell.ts';

/** `1,23E+15`: what a spreadsheet makes of a long number. */
const ROUNDED = /^\s*\d+(?:[.,]\d+)?E\+\d+\s*$|^\s*\d[.,]\d+E\d+\s*$/i;
/** A double holds whole numbers of this many digits exactly. */
const MOST_DIGITS = 15;

/** Returns why a cell cannot be an id: a spreadsheet has taken it for a number, and its last digits are lost. Null: it can. */
export function idProblem(cell: Cell): string | null {
  if (typeof cell === 'string') return ROUNDED.test(cell) ? LOST : null;
  if (cell.kind === 'date') return 'is a date, and ids must be text: export the file with this column as text';
  if (cell.kind === 'error') return BROKEN;
  const number = spreadsheetDigits(cell.text);
  const isLong = number !== null && number.scale === 0 && String(number.digits).replace('-', '').length > MOST_DIGITS;
  return isLong ? LOST : null;
}

const LOST =
  'was a longer number before a spreadsheet rounded it, and ids must be text: export the file again with this column as text';
