import { CsvError, parse } from 'csv-parse/sync';
import { BYTE_ORDER_MARKS, markedEncoding } from '../../file/encoding.ts';
import { StatementFileError } from '../../file/problem.ts';
import { HEADER_ROWS, isHeader } from './header.ts';
import { NO_FORMULAS, type SourceRow } from './source-row.ts';

/** What spreadsheet programs put between cells, by the language of the computer. */
const DELIMITERS = [',', ';', '\t', '|'] as const;
const LINE_END = /\r\n|\n|\r/;
/** A first line of some programs: it names the delimiter, and is no row. */
const DELIMITER_LINE = /^sep=(.)(?:\r\n|\n|\r)/i;

/** Reads the rows of a CSV file in any form that a spreadsheet program saves. @throws StatementFileError */
export function csvSource(file: string, bytes: Buffer): SourceRow[] {
  const text = textOf(file, bytes);
  const named = DELIMITER_LINE.exec(text);
  const table = named === null ? text : text.slice(named[0].length);
  const delimiter = named?.[1] ?? delimiterOf(file, table);
  const before = named === null ? 1 : 2;
  return rowsOf(file, table, delimiter).map((cells, index) => ({ row: index + before, cells, formulas: NO_FORMULAS }));
}

/** Old encodings are refused: nothing in the file says which of them it is, and a comment would be garbled. */
function textOf(file: string, bytes: Buffer): string {
  const encoding = markedEncoding(bytes) ?? 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const cure = 'Save it as "CSV UTF-8", or as XLSX.';
    throw new StatementFileError(
      file,
      { row: firstBadLine(bytes, encoding) },
      `has bytes that are no ${encoding}`,
      cure,
    );
  }
}

function firstBadLine(bytes: Buffer, encoding: string): number {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let line = 1;
  for (let from = BYTE_ORDER_MARKS.find(([name]) => name === encoding)?.[1].length ?? 0; from < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, from);
    try {
      decoder.decode(bytes.subarray(from, end < 0 ? bytes.length : end + 1), { stream: end >= 0 });
    } catch {
      return line;
    }
    from = end < 0 ? bytes.length : end + 1;
  }
  return line;
}

function delimiterOf(file: string, text: string): string {
  const found = DELIMITERS.find((delimiter) => hasHeader(text, delimiter));
  if (found !== undefined) return found;
  const cure = 'Give a file of "tallyhook exceptions export", with its header.';
  throw new StatementFileError(file, {}, 'has no row with the columns id and version', cure);
}

/** Line by line: a quote without its end further down is reported with its row. */
function hasHeader(text: string, delimiter: string): boolean {
  return text.split(LINE_END, HEADER_ROWS).some((line) => {
    try {
      return parsed(line, delimiter).some(isHeader);
    } catch {
      return false;
    }
  });
}

function rowsOf(file: string, text: string, delimiter: string): string[][] {
  try {
    return parsed(text, delimiter);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as CsvError & { readonly lines?: number };
    const place = lines === undefined ? {} : { row: lines };
    const cure = 'Mend the quotes of this line, or save the file again as CSV UTF-8.';
    throw new StatementFileError(file, place, `is no CSV (${error.code})`, cure, error);
  }
}

function parsed(text: string, delimiter: string): string[][] {
  return parse(text, {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
  });
}
