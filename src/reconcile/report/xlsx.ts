import { TallyhookError } from '../../domain/error.ts';
import { MOST_SHEET_CELLS } from '../sheet/columns.ts';
import { workbook } from '../sheet/workbook.ts';
import type { ReportedException, ShownReport } from './model.ts';
import { sheetSections } from './sections/all.ts';
import { exceptionList } from './sections/exception-list.ts';

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
 * The report as a workbook: a sheet for each part, control totals last. Amounts and days are typed, ids are texts, headers stay.
 *
 * @throws SheetTooLongError or WorkbookTooLargeError when a program could not open it
 */
export async function reportWorkbook({ report, standing, exceptions }: ShownReport): Promise<Buffer> {
  const list = exceptionList(await collected(exceptions()), report);
  return workbook(sheetSections(report, standing, list), CURE);
}

/** With the one that only some lists have. */
const COLUMNS = exceptionList([], { environment: null, proof: [] }).columns.length + 1;
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
