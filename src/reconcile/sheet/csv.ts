import { stringify } from 'csv-stringify/sync';
import { type SheetCell, safeText } from './cells.ts';

/** Spreadsheet programs take a file without it for an old encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Returns rows as CSV that every spreadsheet program reads: UTF-8 with byte order mark, commas, CRLF, texts made safe. */
export function csvFile(header: readonly string[], rows: Iterable<readonly SheetCell[]>): string {
  const lines: (readonly string[])[] = [header];
  for (const row of rows) lines.push(row.map(csvCell));
  return `${BYTE_ORDER_MARK}${stringify(lines as string[][], { record_delimiter: '\r\n', quoted_match: LINE_END })}`;
}

/** A lone line end within a cell, which the delimiter of rows does not cover. */
const LINE_END = /[\r\n]/;

function csvCell(cell: SheetCell): string {
  switch (cell?.kind) {
    case undefined:
      return '';
    case 'text':
      return safeText(cell.text.toWellFormed());
    case 'amount':
      return cell.text;
    case 'whole':
      return String(cell.value);
    case 'day':
      return cell.day;
  }
}
