import { amountCell, dayCell, type SheetCell, textCell, valueCell, wholeCell } from '../sheet/cells.ts';
import { csvFile } from '../sheet/csv.ts';
import type { PeriodSignOff, Report } from './model.ts';
import { type Column, type ColumnType, CSV_COLUMNS, type Table, type Value } from './table.ts';
import { reportTables } from './tables/chapters.ts';

/** The figures of a report as one table, a figure or some that belong together to a row, control totals last. */
export function reportCsv(report: Report, signOff: PeriodSignOff | null): string {
  return csvFile(['section', ...CSV_COLUMNS], reportTables(report, signOff).flatMap(csvLines));
}

function csvLines<Row>({ csv, csvLine = 'item', columns, rows }: Table<Row>): SheetCell[][] {
  if (csv === undefined) return [];
  const lines = new Set(columns.flatMap(({ line }) => line ?? []));
  const ofTable = CSV_COLUMNS.map((name) => columns.filter((one) => one.csv === name));
  const cells = (row: Row, line: string | null) =>
    CSV_COLUMNS.map((name, at) => {
      if (line !== null && name === csvLine) return textCell(line);
      const own = (ofTable[at] ?? []).filter((one) => one.line === undefined || one.line === line);
      return firstOf(own, row);
    });
  return rows.flatMap((row) =>
    (lines.size === 0 ? [null] : [...lines]).map((line) => [textCell(csv), ...cells(row, line)]),
  );
}

function firstOf<Row>(columns: readonly Column<Row>[], row: Row): SheetCell {
  for (const column of columns) {
    const cell = sheetCell(column.type, column.value(row));
    if (cell !== null) return cell;
  }
  return null;
}

/** A value as a cell of a spreadsheet. */
export function sheetCell(type: ColumnType, value: Value): SheetCell {
  if (value === null) return null;
  if (typeof value === 'number') return wholeCell(value);
  switch (type) {
    case 'amount':
    case 'effect':
    case 'rate':
      return amountCell(value);
    case 'value':
      return valueCell(value);
    case 'day':
      return dayCell(value);
    default:
      return textCell(value);
  }
}
