import { type Cell, cellText } from '../../file/cell.ts';
import { StatementFileError } from '../../file/problem.ts';
import { SHEET_COLUMNS, type SheetColumn } from '../columns.ts';
import type { SheetSource } from './source-row.ts';

/** Rows in which the header is looked for: a person may have put a title above it. */
export const HEADER_ROWS = 20;

/** Where the columns of a sheet stand. */
export interface SheetHeader {
  /** As a spreadsheet shows it. */
  readonly row: number;
  /** As read, unknown columns too. */
  readonly names: readonly string[];
  /** From 0; a column that is not there was not said. */
  readonly places: ReadonlyMap<SheetColumn, number>;
}

/** Whether a row names the columns that no sheet can be without. */
export function isHeader(row: readonly Cell[]): boolean {
  const names = row.map(nameOf);
  return names.includes('id') && names.includes('version');
}

/** Finds the columns by their names: they may stand in any order, among others. @throws StatementFileError */
export function headerOf({ file, rows }: Pick<SheetSource, 'file' | 'rows'>): SheetHeader {
  const found = rows.find(({ row, cells }) => row <= HEADER_ROWS && isHeader(cells));
  if (found === undefined) {
    const cure = 'Give a file of "tallyhook exceptions export", with its header.';
    throw new StatementFileError(file, {}, 'has no row with the columns id and version', cure);
  }
  const places = new Map<SheetColumn, number>();
  for (const [index, cell] of found.cells.entries()) {
    const name = SHEET_COLUMNS.find((column) => column === nameOf(cell));
    if (name === undefined) continue;
    if (places.has(name)) {
      const cure = 'Delete one of them: it cannot be known which one counts.';
      throw new StatementFileError(file, { row: found.row, column: name }, 'stands there twice', cure);
    }
    places.set(name, index);
  }
  return { row: found.row, names: found.cells.map((cell) => cellText(cell)), places };
}

function nameOf(cell: Cell): string {
  return cellText(cell)
    .toLowerCase()
    .replace(/[\s_]+/g, '_');
}
