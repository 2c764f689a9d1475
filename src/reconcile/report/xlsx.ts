import { TallyhookError } from '../../domain/error.ts';
import { type SheetCell, textCell } from '../sheet/cells.ts';
import { MOST_SHEET_CELLS } from '../sheet/columns.ts';
import { workbook } from '../sheet/workbook.ts';
import type { WorkbookSheet } from '../sheet/workbook-sheet.ts';
import { sheetCell } from './csv.ts';
import type { ReportedException, ShownReport } from './model.ts';
import { type Cell, type ColumnType, cellOf, columnsFor, type Table, totalsOf } from './table.ts';
import { reportTables } from './tables/chapters.ts';
import { exceptionList } from './tables/exceptions.ts';

/** Rows of a sheet in every program that opens XLSX, its header included. */
export const MOST_SHEET_ROWS = 1_048_576;

const CURE = 'Give --split-by currency, or --format html; exceptions export --format csv has every row.';

/** More exceptions than a sheet holds. */
export class SheetTooLongError extends TallyhookError {
  override readonly name = 'SheetTooLongError';

  constructor(most: number) {
    super(`The report has more than ${most} exceptions, which is more than a sheet of XLSX can hold.`, {
      kind: 'usage',
      hint: CURE,
    });
  }
}

/**
 * The report as a workbook: a sheet for each table and one with every exception, control totals last. Amounts and days are typed, ids
 * are texts, headers stay.
 *
 * @throws SheetTooLongError or WorkbookTooLargeError when a program could not open it
 */
export async function reportWorkbook({ report, signOff, exceptions }: ShownReport): Promise<Buffer> {
  const list = await collected(exceptions());
  const tables = reportTables(report, signOff, list.length === 0 ? [] : [exceptionList(list, report)]);
  return workbook(tables.map(sheetOf), CURE);
}

function sheetOf<Row>(table: Table<Row>): WorkbookSheet {
  const columns = columnsFor(table, 'sheet');
  const note = table.parts === undefined ? (table.note?.(table.rows) ?? null) : null;
  const totals = totalsOf(table, columns).map((row) => row.map(cellText));
  return {
    name: table.name,
    columns: columns.map(({ heading, width, type }, at) => {
      const header = heading || (at === 0 ? table.title : '');
      return { header, width: width ?? Math.max(WIDTHS[type], header.length + 2) };
    }),
    rows: table.rows.map((row) => columns.map((column) => cellText(cellOf(column, row)))),
    totals: note === null ? totals : [...totals, columns.map((_, at) => (at === 0 ? textCell(note) : null))],
  };
}

function cellText({ type, value, words }: Cell): SheetCell {
  return words === null ? sheetCell(type, value) : textCell(words);
}

/** The least, in characters. */
const WIDTHS: Readonly<Record<ColumnType, number>> = {
  ...{ text: 10, day: 12, amount: 18, effect: 18, value: 18, rate: 12, count: 10, digest: 68 },
};

const COLUMNS = exceptionList([], { environment: null, proof: [] }).columns.length;
/** Rows besides exceptions: the header, and a total for each currency. */
const BESIDE = 100;

async function collected(rows: AsyncIterable<ReportedException>): Promise<ReportedException[]> {
  const most = Math.min(MOST_SHEET_ROWS - BESIDE, Math.floor(MOST_SHEET_CELLS / COLUMNS));
  const found: ReportedException[] = [];
  for await (const row of rows) {
    if (found.length === most) throw new SheetTooLongError(most);
    found.push(row);
  }
  return found;
}
