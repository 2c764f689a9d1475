import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import type { Row } from '../file/cell.ts';
import { markedEncoding } from '../file/encoding.ts';
import { FILE_LIMITS } from '../file/limits.ts';
import { openFile } from '../file/opened-file.ts';
import { workbookParts } from '../file/workbook-parts.ts';
import { xlsxRows } from '../file/xlsx.ts';
import type { Guess } from './guess.ts';

/** What a file looks like before anyone has said how it is to be read. */
export interface Look {
  readonly name: string;
  readonly format: 'csv' | 'xlsx';
  readonly encoding: Guess<string>;
  readonly delimiter: Guess<string>;
  readonly rows: readonly Row[];
  /** Names of the sheets of a workbook, in their order; the rows are those of the first. */
  readonly sheets: readonly string[];
  /** False: only the beginning was looked at, so nothing is known of the end. */
  readonly isWhole: boolean;
}

/** Bytes of a CSV file that are looked at. */
const LOOKED_BYTES = 8 * 1024 * 1024;
const DELIMITERS = [',', ';', '\t', '|'];
const TRIED_ROWS = 200;

/** Looks at a file. Throws StatementFileError when it cannot be read. */
export async function lookAt(path: string): Promise<Look> {
  await using file = await openFile(path, FILE_LIMITS);
  const { name } = file;
  const sheet = { sheet: 1 };
  const pieces: Uint8Array[] = [];
  let read = 0;
  for await (const piece of file.again()) {
    pieces.push(piece);
    read += piece.length;
    if (read >= LOOKED_BYTES) break;
  }
  const bytes = Buffer.concat(pieces);
  const none = { value: '', why: '' };
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) {
    const rows: Row[] = [];
    for await (const batch of xlsxRows(file, sheet, FILE_LIMITS)) rows.push(...batch.rows);
    const { names: sheets } = workbookParts(Buffer.concat(await Array.fromAsync(file.again())));
    return { name, format: 'xlsx', encoding: none, delimiter: none, rows, sheets, isWhole: true };
  }
  const isWhole = read === file.size;
  const encoding = encodingOf(bytes, isWhole);
  const text = new TextDecoder(encoding.value).decode(bytes);
  const delimiter = delimiterOf(text);
  const rows = rowsOf(text, delimiter.value);
  // The last row may be cut.
  return { name, format: 'csv', encoding, delimiter, rows: isWhole ? rows : rows.slice(0, -1), sheets: [], isWhole };
}

function encodingOf(bytes: Buffer, isWhole: boolean): Guess<string> {
  const marked = markedEncoding(bytes);
  if (marked !== null) return { value: marked, why: 'the file begins with the mark of this encoding' };
  const start = bytes.subarray(0, 4_000);
  const zeros = [...start.entries()].filter(([, byte]) => byte === 0);
  if (zeros.length > start.length / 4) {
    const isLittle = zeros.filter(([index]) => index % 2 === 1).length > zeros.length / 2;
    return { value: isLittle ? 'utf-16le' : 'utf-16be', why: 'every second byte is 0' };
  }
  // A file that is cut may end in the middle of a character.
  const end = isWhole ? 0 : 4;
  const isText = Array.from({ length: end + 1 }, (_, cut) => bytes.subarray(0, bytes.length - cut)).some((part) =>
    isUtf8(part),
  );
  if (isText) return { value: 'utf-8', why: 'every byte that was looked at is UTF-8' };
  if (isShiftJis(bytes)) return { value: 'shift_jis', why: 'it is no UTF-8, and Japanese in this encoding' };
  return {
    value: 'windows-1252',
    why: 'it is no UTF-8, and most such exports are in this encoding: look at the letters with accents',
  };
}

/** Letters with accents make single signs of Japanese, never several in a row. */
function isShiftJis(bytes: Buffer): boolean {
  return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]{4}/u.test(new TextDecoder('shift_jis').decode(bytes));
}

function delimiterOf(text: string): Guess<string> {
  const tried = DELIMITERS.map((delimiter) => {
    const widths = rowsOf(text.slice(0, 200_000), delimiter)
      .slice(0, TRIED_ROWS)
      .map((row) => row.length);
    const { width, count } = usualWidth(widths);
    return { delimiter, width, share: widths.length === 0 ? 0 : count / widths.length };
  });
  const best = tried.reduce((one, other) => (other.width > 1 && score(other) > score(one) ? other : one));
  return {
    value: best.delimiter,
    why: `${Math.round(best.share * 100)} % of the rows have ${best.width} cells with it`,
  };
}

function score({ width, share }: { readonly width: number; readonly share: number }): number {
  return width > 1 ? share * Math.min(width, 20) : 0;
}

/** Returns the number of cells that most rows have; of rows with one cell only when there are no others. */
export function usualWidth(widths: readonly number[]): { readonly width: number; readonly count: number } {
  const counts = new Map<number, number>();
  for (const width of widths.filter((one) => one > 1)) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [width, count] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [1, widths.length];
  return { width, count };
}

function rowsOf(text: string, delimiter: string): string[][] {
  const options = {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    bom: true,
  };
  try {
    return parse(text, options);
  } catch {
    // A quote without its end: as a file that has no quotes.
    return parse(text, { ...options, quote: null });
  }
}
