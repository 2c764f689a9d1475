import { type Cell, cellText } from '../file/cell.ts';
import { amountCell, dayCell, plainText, type SheetCell, textCell, wholeCell } from './cells.ts';
import { SHEET_NAME, type SheetFormat } from './columns.ts';
import { csvFile } from './csv.ts';
import { markedFormula } from './formula-mark.ts';
import { formulasIn } from './judge/cell-facts.ts';
import type { Refusal } from './judge/refusal.ts';
import { tableRow } from './judge/row.ts';
import type { SheetHeader } from './read/header.ts';
import { NO_FORMULAS, type SheetSource, type SourceRow } from './read/source-row.ts';
import { workbook } from './workbook.ts';

/** The last column of the file: why the row was refused. Import ignores it. */
export const REFUSED = 'refused';

/**
 * Returns the refused rows as they were read, each with its reason. A formula comes back as its value with a mark, which import
 * refuses again until a person replaces it. `format`: of the file that they come from; `as`: of the new one.
 */
export async function refusedFile(
  { format, rows }: Pick<SheetSource, 'format' | 'rows'>,
  header: SheetHeader,
  refused: readonly Refusal[],
  as: SheetFormat = format,
): Promise<Buffer> {
  const byRow = new Map(rows.map((row) => [row.row, row]));
  const names = header.names.filter((name) => name.toLowerCase() !== REFUSED);
  const table = refused.map(({ row, column, reason, message }) => {
    const source = byRow.get(row);
    const formulas = source === undefined ? NO_FORMULAS : formulaPlaces(source, header, format);
    const cellAt = (index: number) => {
      const cell = source?.cells[index] ?? '';
      return formulas.has(index) ? textCell(markedFormula(cellText(cell))) : asRead(cell);
    };
    return [
      ...header.names.flatMap((name, index) => (name.toLowerCase() === REFUSED ? [] : [cellAt(index)])),
      textCell(`${reason}${column === null ? '' : ` (${column})`}: ${message}`),
    ];
  });
  return fileOf([...names, REFUSED], table, as);
}

/** Columns, from 0, whose formula is refused. */
function formulaPlaces(row: SourceRow, header: SheetHeader, format: SheetFormat): ReadonlySet<number> {
  return new Set(formulasIn(tableRow(row, header), format).map((column) => header.places.get(column) ?? -1));
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
