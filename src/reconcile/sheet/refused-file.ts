import { type Cell, cellText } from '../file/cell.ts';
import { amountCell, dayCell, plainText, type SheetCell, textCell, wholeCell } from './cells.ts';
import { SHEET_NAME, type SheetFormat } from './columns.ts';
import { csvFile } from './csv.ts';
import type { Refusal } from './judge/refusal.ts';
import type { SheetHeader } from './read/header.ts';
import type { SheetSource } from './read/source-row.ts';
import { workbook } from './workbook.ts';

/** The last column of the file: why the row was refused. Import ignores it. */
export const REFUSED = 'refused';

/** Returns the refused rows as they were read, each with its reason, in the form of the file that they come from. */
export async function refusedFile(
  { format, rows }: Pick<SheetSource, 'format' | 'rows'>,
  header: SheetHeader,
  refused: readonly Refusal[],
): Promise<Buffer> {
  const byRow = new Map(rows.map(({ row, cells }) => [row, cells]));
  const names = header.names.filter((name) => name.toLowerCase() !== REFUSED);
  const table = refused.map(({ row, column, reason, message }) => [
    ...header.names.flatMap((name, index) =>
      name.toLowerCase() === REFUSED ? [] : [asRead(byRow.get(row)?.[index] ?? '')],
    ),
    textCell(`${reason}${column === null ? '' : ` (${column})`}: ${message}`),
  ]);
  return fileOf([...names, REFUSED], table, format);
}

async function fileOf(names: readonly string[], rows: SheetCell[][], format: SheetFormat): Promise<Buffer> {
  if (format === 'csv') return Buffer.from(csvFile(names, rows));
  const columns = names.map((header) => ({ header, width: header === REFUSED ? 60 : 16 }));
  return workbook([{ name: SHEET_NAME, columns, rows, hasFilter: true }], 'Save the file as CSV, and import that.');
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,8})?$/;

function asRead(cell: Cell): SheetCell {
  if (typeof cell === 'string') return NUMBER.test(cell) ? numberCell(cell) : textCell(plainText(cell));
  if (cell.kind === 'date') return dayCell(cell.date);
  return numberCell(cellText(cell));
}

/** A number as it was written: an id of digits in a CSV file stays what it is. */
function numberCell(text: string): SheetCell {
  const value = Number(text);
  if (Number.isSafeInteger(value) && String(value) === text) return wholeCell(value);
  return /^-?\d{1,15}\.\d{1,8}$/.test(text) ? amountCell(text) : textCell(text);
}
