import writeXlsxFile, { type Cell, type Image, type Sheet } from 'write-excel-file/node';
import { TallyhookError } from '../../domain/error.ts';
import { besidesCells } from './besides-cells.ts';
import { type SheetCell, safeText } from './cells.ts';
import { MOST_SHEET_CELLS } from './columns.ts';
import type { WorkbookSheet } from './workbook-sheet.ts';
import { xlsxText } from './xlsx-text.ts';
import { withoutTimes } from './zip-times.ts';

/** More cells than a spreadsheet program opens at ease. */
export class WorkbookTooLargeError extends TallyhookError {
  override readonly name = 'WorkbookTooLargeError';

  constructor(cells: number, hint: string) {
    super(`A spreadsheet of ${cells} cells is too large: ${MOST_SHEET_CELLS} are the most.`, {
      kind: 'usage',
      hint,
    });
  }
}

/**
 * Returns the bytes of an XLSX file: amounts and days typed, ids as text, a frozen header. The same sheets give the
 * same bytes. `cure` is what to do when there are too many cells.
 *
 * @throws WorkbookTooLargeError beyond MOST_SHEET_CELLS
 */
export async function workbook(sheets: readonly WorkbookSheet[], cure: string): Promise<Buffer> {
  const cells = sheets.reduce((sum, sheet) => sum + sheet.columns.length * (heightOf(sheet) + 1), 0);
  if (cells > MOST_SHEET_CELLS) throw new WorkbookTooLargeError(cells, cure);
  const features = [besidesCells(sheets)];
  return withoutTimes(await writeXlsxFile(sheets.map(sheetOf), { features }).toBuffer());
}

function heightOf({ rows, totals = [] }: WorkbookSheet): number {
  return rows.length + totals.length;
}

const SHADE = '#E7E6E6';
const HEADER_SHADE = '#D0CECE';

function sheetOf({ name, columns, rows, totals = [] }: WorkbookSheet): Sheet<Image['content']> {
  const header = columns.map(({ header }) => ({
    ...{ value: xlsxText(header), type: String, fontWeight: 'bold' as const, backgroundColor: HEADER_SHADE },
  }));
  const styles = columns.map(({ isLocked, typing }) => ({
    ...(isLocked && { backgroundColor: SHADE }),
    ...(typing === 'text' && AS_TEXT),
    ...(typing === 'day' && AS_DAY),
  }));
  const cellsOf = (row: readonly SheetCell[], more: object) =>
    row.map((cell, index): Cell => ({ ...styles[index], ...more, ...typed(cell) }));
  return {
    sheet: name,
    data: [
      header,
      ...rows.map((row) => cellsOf(row, {})),
      ...totals.map((row) => cellsOf(row, { fontWeight: 'bold' })),
    ],
    columns: columns.map(({ width }) => ({ width })),
    stickyRowsCount: 1,
  };
}

/** A double holds so many decimal digits. */
const RELIABLE_DIGITS = 15;
/** `@`: a program that opens the file again keeps it as text. */
const AS_TEXT = { type: String, format: '@' } as const;
const AS_DAY = { type: Date, format: 'yyyy-mm-dd' } as const;

function typed(cell: SheetCell): Exclude<Cell, string | number | null | undefined> {
  switch (cell?.kind) {
    case undefined:
      return {};
    case 'text':
      return { ...AS_TEXT, value: xlsxText(safeText(cell.text)) };
    case 'whole':
      return { type: Number, format: '0', value: cell.value };
    case 'day': {
      const day = new Date(`${cell.day}T00:00:00Z`);
      if (Number.isNaN(day.getTime())) return { ...AS_TEXT, value: xlsxText(safeText(cell.day)) };
      return { ...AS_DAY, value: day };
    }
    case 'amount': {
      if (cell.text.replace(/^-?0*|\./g, '').length > RELIABLE_DIGITS) return { ...AS_TEXT, value: cell.text };
      const decimals = cell.text.split('.')[1]?.length ?? 0;
      return {
        type: Number,
        format: `#,##0${decimals > 0 ? `.${'0'.repeat(decimals)}` : ''}`,
        value: Number(cell.text),
      };
    }
  }
}
