import { type Cell, cellText, isEmptyRow, type Row } from '../file/cell.ts';
import { looksLikeDay } from '../file/usual-dates.ts';
import { dateFormOf } from './forms.ts';
import { usualWidth } from './look.ts';
import { roleOf, statesBalance } from './words.ts';

/** Where the lines of a file probably are. */
export interface FoundTable {
  readonly skipRows: number;
  /** Null: no row names the columns. */
  readonly header: readonly string[] | null;
  /** Rows right below the header that state a balance: they are no lines. */
  readonly stated: number;
  readonly footer: number;
  readonly lines: readonly Row[];
  readonly width: number;
}

/** Rows in which a header is looked for. */
const HEADER_ROWS = 50;

/**
 * Finds the table of a file. The header is the first row with several words that headers have; in a language whose words are
 * not known, the row above the first date that has a name for each column.
 */
export function findTable(rows: readonly Row[], isWhole: boolean): FoundTable {
  const filled = rows.map((row) => row.filter((cell) => cellText(cell) !== '').length);
  const { width } = usualWidth(rows.map((row) => row.length));
  const start = rows.slice(0, HEADER_ROWS);
  const isFull = (index: number) => (filled[index] ?? 0) >= Math.min(2, width);
  const dated = start.findIndex((row, index) => isFull(index) && row.some(isDate));
  const known = start.findIndex((row) => knownNames(row) >= 2 && !row.some(isValue));
  const named = known >= 0 || !isHeading(rows[dated - 1] ?? [], width) ? known : dated - 1;
  const first = named >= 0 ? named : dated;
  const skipRows = Math.max(first, 0);
  const body = rows.slice(named >= 0 ? skipRows + 1 : skipRows).filter((row) => !isEmptyRow(row));
  const line = body.findIndex((row) => !statesBalance(row));
  const stated = named < 0 ? 0 : Math.max(line, 0);
  const footer = isWhole ? footerOf(body.slice(stated)) : 0;
  const header = named >= 0 ? (rows[named] ?? []).map(cellText) : null;
  return { skipRows, header, stated, footer, lines: body.slice(stated, body.length - footer), width };
}

function isHeading(row: Row, width: number): boolean {
  const names = row.map(cellText).filter((name) => name !== '');
  return names.length > 1 && names.length >= width - 1 && new Set(names).size === names.length && !row.some(isValue);
}

function knownNames(row: Row): number {
  return row.filter((cell) => roleOf(cellText(cell)) !== null).length;
}

function isDate(cell: Cell): boolean {
  return typeof cell === 'string' ? dateFormOf([cell]) !== null : cell.kind === 'date';
}

/** Whether a cell is a date or a number, which no header is. */
function isValue(cell: Cell): boolean {
  return typeof cell !== 'string' || /^[-+(]?[\d.,' ]*\d[-)]?$/.test(cell.trim()) || isDate(cell);
}

/**
 * Returns how many rows at the end are no lines: they state a balance, or have nothing like a date where the others have one. A date of
 * an unknown form is one, too, since a line in the footer would be lost.
 */
function footerOf(body: readonly Row[]): number {
  const dated = dateColumns(body.slice(0, DATED_ROWS));
  const isLine = (row: Row) => !statesBalance(row) && dated.some((index) => mayBeDate(row[index] ?? ''));
  const last = body.findLastIndex(isLine);
  return last < 0 ? 0 : Math.min(body.length - 1 - last, 1_000);
}

/** Rows by which the columns of dates are told. */
const DATED_ROWS = 100;

/** Returns the columns that have a date in at least half as many rows as the column with the most of them. */
function dateColumns(rows: readonly Row[]): number[] {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const counts = Array.from({ length: width }, (_, index) => rows.filter((row) => mayBeDate(row[index] ?? '')).length);
  const most = Math.max(0, ...counts);
  return counts.flatMap((count, index) => (count > 0 && count * 2 >= most ? [index] : []));
}

function mayBeDate(cell: Cell): boolean {
  return typeof cell === 'string' ? looksLikeDay(cell.trim()) : cell.kind === 'date';
}

/** Returns the cells of one column. */
export function cellsOfColumn(lines: readonly Row[], index: number): Cell[] {
  return lines.map((row) => row[index] ?? '');
}
