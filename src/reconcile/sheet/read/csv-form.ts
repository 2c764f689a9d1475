import { parse } from 'csv-parse/sync';
import type { CsvForm } from '../../file/csv.ts';
import { markedEncoding } from '../../file/encoding.ts';
import type { OpenedFile } from '../../file/opened-file.ts';
import { StatementFileError } from '../../file/problem.ts';
import { HEADER_ROWS, isHeader } from './header.ts';

/** What spreadsheet programs put between cells, by the language of the computer. */
const DELIMITERS = [',', ';', '\t', '|'] as const;
const LINE_END = /\r\n|\n|\r/;
/** A first line of some programs: it names the delimiter, and is no row of the table. */
const DELIMITER_LINE = /^sep=(.)(?:\r\n|\n|\r)/i;
/** Bytes in which the header is looked for. */
const LOOKED_BYTES = 256 * 1024;

const CURES = {
  encoding: 'Save it as "CSV UTF-8", or as XLSX.',
  quotes: 'Mend the quotes of this line, or save the file again as CSV UTF-8.',
};

/**
 * Finds the form in which a spreadsheet program has saved a CSV file, by its first rows. Old encodings are refused: nothing in the file
 * says which of them it is, and a comment would be garbled. @throws StatementFileError for a file without the header
 */
export async function csvForm(file: OpenedFile): Promise<CsvForm> {
  const bytes = await file.read(0, LOOKED_BYTES);
  const encoding = markedEncoding(bytes) ?? 'utf-8';
  // Bytes that are no text are refused with their row when the rows are read.
  const text = new TextDecoder(encoding).decode(bytes);
  const delimiter = DELIMITER_LINE.exec(text)?.[1] ?? delimiterOf(file.name, text);
  return { encoding, delimiter, quote: '"', cures: CURES };
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
      return parse(line, { delimiter, relax_column_count: true, relax_quotes: true }).some((row) => isHeader(row));
    } catch {
      return false;
    }
  });
}
