import { type Cell, cellText, isBroken, isEmptyRow, isTooLong, type RowBatch, TOO_LONG } from '../../file/cell.ts';
import { csvRows } from '../../file/csv.ts';
import { Counter, FILE_LIMITS, type FileLimits } from '../../file/limits.ts';
import { type OpenedFile, openFile } from '../../file/opened-file.ts';
import { StatementFileError } from '../../file/problem.ts';
import { openWorkbook } from '../../file/workbook.ts';
import { sheetRows } from '../../file/xlsx.ts';
import { isZip } from '../../file/zip.ts';
import { MOST_SHEET_CELLS, SHEET_NAME } from '../columns.ts';
import { csvForm } from './csv-form.ts';
import { NO_FORMULAS, type SheetSource, type SourceRow } from './source-row.ts';

const MEBIBYTE = 1024 * 1024;
/** A sheet of exceptions is in memory as a whole: 100,000 of them are some 40 MiB of CSV. */
/** Rows that are not empty. */
const MOST_ROWS = 200_000;
const LIMITS: FileLimits = {
  ...FILE_LIMITS,
  bytes: 128 * MEBIBYTE,
  unpackedBytes: 256 * MEBIBYTE,
  sheetCells: MOST_SHEET_CELLS,
  textCharacters: 48 * MEBIBYTE,
};

/** Reads a CSV or XLSX file, told apart by its bytes. @throws StatementFileError when it cannot be read, or is neither */
export async function readSource(path: string): Promise<SheetSource> {
  await using opened = await openFile(path, LIMITS);
  const counter = new Counter(opened.name, LIMITS);
  const format = isZip(await opened.read(0, 4)) ? 'xlsx' : 'csv';
  const batches = format === 'xlsx' ? xlsxBatches(opened, counter) : csvBatches(opened, counter);
  const rows: SourceRow[] = [];
  for await (const { firstRow, rows: some, formulas } of counter.timed(batches)) {
    for (const [index, cells] of some.entries()) {
      const row = firstRow + index;
      if (format === 'xlsx') refuseUnreadable(opened.name, row, cells);
      const own = formulas?.get(row) ?? NO_FORMULAS;
      if (isEmptyRow(cells) && own.size === 0) continue;
      if (rows.length === MOST_ROWS) throw tooMany(opened.name, row);
      rows.push({ row, cells, formulas: own });
    }
  }
  const { name, sha256 } = await opened.finish();
  return { file: name, digest: sha256, format, rows };
}

/** The rows of the sheet `exceptions`, else of the first one; hidden rows too. */
async function* xlsxBatches(file: OpenedFile, counter: Counter): AsyncGenerator<RowBatch> {
  const workbook = await openWorkbook(file, counter);
  const named = workbook.sheets.findIndex(({ name }) => name.trim().toLowerCase() === SHEET_NAME);
  yield* sheetRows(file, workbook, { sheet: Math.max(named, 0) + 1 }, counter);
}

async function* csvBatches(file: OpenedFile, counter: Counter): AsyncGenerator<RowBatch> {
  for await (const batch of csvRows(file, await csvForm(file), LIMITS, counter)) {
    for (const [index, cells] of batch.rows.entries()) {
      if (isEmptyRow(cells)) continue;
      counter.sheetCells(batch.firstRow + index, cells.length);
      counter.text(
        batch.firstRow + index,
        cells.reduce((characters, cell) => characters + cellText(cell).length, 0),
      );
    }
    yield batch;
  }
}

function tooMany(file: string, row: number): StatementFileError {
  const cure = 'Delete the rows that are no exceptions, or split the file.';
  return new StatementFileError(file, { row }, `is beyond the limit of ${MOST_ROWS} rows that are not empty`, cure);
}

/** A formula that could not be computed says nothing that a person meant. */
function refuseUnreadable(file: string, row: number, cells: readonly Cell[]): void {
  const column = cells.findIndex((cell) => isBroken(cell) || isTooLong(cell));
  if (column < 0) return;
  const cell = cells[column];
  const place = { row, column: String(column + 1), value: cellText(cell) };
  if (!isBroken(cell)) throw new StatementFileError(file, place, TOO_LONG, 'Shorten it, and import the file again.');
  const cure = 'Write the value in its place, and import the file again.';
  throw new StatementFileError(file, place, 'is an error of the spreadsheet program', cure);
}
