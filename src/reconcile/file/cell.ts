// What stands in a cell. A CSV file has text only; a spreadsheet also has numbers and dates with a type.

import { MOST_CELL_CHARACTERS } from './limits.ts';

/** A number of a spreadsheet, as its file has it: never a float. */
export interface NumberCell {
  readonly kind: 'number';
  readonly text: string;
}

/** A date of a spreadsheet: what its clock shows, without a zone. */
export interface DateCell {
  readonly kind: 'date';
  readonly date: string;
  /** Milliseconds since the day began; null: the cell has no time. */
  readonly timeMs: number | null;
}

/** An error of a spreadsheet: a formula that could not be computed. */
export interface BrokenCell {
  readonly kind: 'error';
  /** `#N/A`, `#DIV/0!` */
  readonly text: string;
}

/** Why it cannot be read. */
export const BROKEN = 'is an error of the spreadsheet: replace it by its value';

export function isBroken(cell: Cell | undefined): boolean {
  return typeof cell === 'object' && cell.kind === 'error';
}

/** Why it cannot be read. */
export const TOO_LONG = `has more than the ${MOST_CELL_CHARACTERS} characters that a cell can have: shorten it`;

export function isTooLong(cell: Cell | undefined): boolean {
  if (typeof cell === 'string') return cell.length > MOST_CELL_CHARACTERS;
  return cell?.kind === 'number' && cell.text.length > MOST_CELL_CHARACTERS;
}

export type Cell = string | NumberCell | DateCell | BrokenCell;
export type Row = readonly Cell[];

/** Rows in their order, empty ones too; the first has the number `firstRow`. */
export interface RowBatch {
  readonly firstRow: number;
  readonly rows: readonly Row[];
  /** Columns, from 0, whose cell is a formula, by row; none in a CSV file, where a formula is text. */
  readonly formulas?: ReadonlyMap<number, ReadonlySet<number>>;
  /** Bytes of the file that have been read. */
  readonly bytes: number;
}

/** Returns the text of a cell without blanks at its ends; an empty cell gives ''. */
export function cellText(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  if (typeof cell === 'string') return cell.trim();
  if (cell.kind === 'number') return plainNumber(cell.text);
  if (cell.kind === 'error') return cell.text;
  if (cell.timeMs === null) return cell.date;
  const time = new Date(cell.timeMs).toISOString().slice(11, cell.timeMs % 1_000 === 0 ? 19 : 23);
  return `${cell.date} ${time}`;
}

export function isEmptyRow(row: Row): boolean {
  return row.every((cell) => typeof cell === 'string' && cell.trim() === '');
}

const TOKEN = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;
/** A double has this many reliable decimal digits: 79.32 is stored as 79.31999999999999. */
const RELIABLE_DIGITS = 15;

/** A number as digits and the place of its point: `digits` divided by ten to the power `scale`. */
export interface Digits {
  readonly digits: bigint;
  readonly scale: number;
}

/** Returns a number of a spreadsheet, rounded to the 15 digits that a double holds; null: the text is no number. */
export function spreadsheetDigits(text: string): Digits | null {
  const found = TOKEN.exec(text);
  if (found === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = found;
  const written = `${whole}${fraction}`.replace(/^0+/, '');
  if (whole === '' && fraction === '') return null;
  const excess = Math.max(written.length - RELIABLE_DIGITS, 0);
  // Half up, as text: the digit behind the last reliable one decides.
  const kept =
    BigInt(written.slice(0, written.length - excess) || '0') +
    (Number(written.charAt(RELIABLE_DIGITS) || '0') >= 5 ? 1n : 0n);
  let scale = fraction.length - Number(exponent) - excess;
  let digits = sign === '-' ? -kept : kept;
  while (scale > 0 && digits % 10n === 0n) {
    digits /= 10n;
    scale--;
  }
  if (digits === 0n) return { digits, scale: 0 };
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** Returns a number of a spreadsheet in plain digits, for texts and ids. */
function plainNumber(text: string): string {
  const number = spreadsheetDigits(text);
  if (number === null) return text;
  const { digits, scale } = number;
  if (scale === 0) return String(digits);
  const sign = digits < 0n ? '-' : '';
  const all = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  return `${sign}${all.slice(0, -scale)}.${all.slice(-scale)}`;
}
