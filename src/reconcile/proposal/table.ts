import { type Cell, cellText, isEmptyRow, type Row } from '../file/cell.ts';
import { dateFormOf } from './forms.ts';
import { roleOf } from './header-words.ts';
import { usualWidth } from './look.ts';

/** Where the lines of a file probably are. */
export interface FoundTable {
  readonly skipRows: number;
  /** Null: no row names the columns. */
  readonly header: readonly string[] | null;
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
  const footer = isWhole ? footerOf(body) : 0;
  const header = named >= 0 ? (rows[named] ?? []).map(cellText) : null;
  return { skipRows, header, footer, lines: body.slice(0, body.length - footer), width };
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

/** Returns how many rows at the end have no date, although the others have one. */
function footerOf(body: readonly Row[]): number {
  const last = body.findLastIndex((row) => row.some(isDate));
  return last < 0 ? 0 : Math.min(body.length - 1 - last, 1_000);
}

/** Returns the cells of one column. */
export function cellsOfColumn(lines: readonly Row[], index: number): Cell[] {
  return lines.map((row) => row[index] ?? '');
}
