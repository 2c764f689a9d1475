import type { Cell } from '../../file/cell.ts';
import { cellText } from '../../file/cell.ts';
import { FILLED_COLUMNS, SHEET_COLUMNS, type SheetColumn, TOTAL } from '../columns.ts';
import type { SheetHeader } from '../read/header.ts';
import type { SourceRow } from '../read/source-row.ts';
import { textIn } from './same.ts';

/** A row of the table; columns that the file does not have are not said. */
export interface SheetRow {
  readonly row: number;
  readonly cells: Partial<Readonly<Record<SheetColumn, Cell>>>;
  /** Columns whose cell is a formula. */
  readonly formulas: readonly SheetColumn[];
}

/** Returns the rows behind the header: without control totals, and without rows that say nothing of an exception. */
export function tableRows(rows: readonly SourceRow[], header: SheetHeader): SheetRow[] {
  return rows
    .filter(({ row }) => row > header.row)
    .map((row) => tableRow(row, header))
    .filter(isOfException);
}

export function tableRow({ row, cells, formulas }: SourceRow, { places }: SheetHeader): SheetRow {
  const read: Partial<Record<SheetColumn, Cell>> = {};
  const computed: SheetColumn[] = [];
  for (const column of SHEET_COLUMNS) {
    const place = places.get(column);
    if (place === undefined) continue;
    read[column] = cells[place] ?? '';
    if (formulas.has(place)) computed.push(column);
  }
  return { row, cells: read, formulas: computed };
}

/** Notes and sums that a person put below the table have no id, no version, and nothing in the columns to fill. */
const TELLING = ['id', 'version', ...FILLED_COLUMNS] as const;

function isOfException({ cells, formulas }: SheetRow): boolean {
  if (textIn(cells.id ?? '').toLowerCase() === TOTAL) return false;
  return TELLING.some((column) => cellText(cells[column]) !== '' || formulas.includes(column));
}
