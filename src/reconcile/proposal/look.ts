import { isUtf8 } from 'node:buffer';
import type { CastingContext } from 'csv-parse';
import { type Options, parse } from 'csv-parse/sync';
import type { Cell, Row } from '../file/cell.ts';
import { markedEncoding } from '../file/encoding.ts';
import { Counter, FILE_LIMITS } from '../file/limits.ts';
import { type OpenedFile, openFile } from '../file/opened-file.ts';
import { StatementFileError } from '../file/problem.ts';
import { openWorkbook } from '../file/workbook.ts';
import { sheetRows } from '../file/xlsx.ts';
import { isZip } from '../file/zip.ts';
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
/** Cells that are looked at: rows of the widest one. */
const LOOKED_CELLS = 1_000_000;
/** Rows that are looked at, empty ones too. */
const LOOKED_ROWS = 100_000;
/** Characters of a cell that are looked at. */
const LOOKED_CHARACTERS = 1_000;
const DELIMITERS = [',', ';', '\t', '|'];
const TRIED_ROWS = 200;
const TRIED_CHARACTERS = 200_000;

/** Looks at a file. Throws StatementFileError when it cannot be read. */
export async function lookAt(path: string): Promise<Look> {
  await using file = await openFile(path, FILE_LIMITS);
  const counter = new Counter(file.name, FILE_LIMITS);
  const first = await file.read(0, 4);
  const other = OTHER_KINDS.find(([bytes]) => first.toString('hex').startsWith(bytes));
  if (other !== undefined)
    throw new StatementFileError(file.name, {}, `is ${other[1]}, and no table`, 'Export it as CSV or XLSX.');
  return isZip(first) ? await lookAtWorkbook(file, counter) : await lookAtCsv(file, counter);
}

/** What people have in the place of an export, by its first bytes. */
const OTHER_KINDS = [
  ['25504446', 'a PDF'],
  ['89504e47', 'a picture'],
  ['ffd8ff', 'a picture'],
  ['47494638', 'a picture'],
  ['d0cf11e0', 'a workbook of an old Excel (.xls)'],
  ['1f8b', 'compressed'],
] as const;

async function lookAtWorkbook(file: OpenedFile, counter: Counter): Promise<Look> {
  const workbook = await openWorkbook(file, counter);
  const seen = new SeenRows();
  for await (const { rows } of counter.timed(sheetRows(file, workbook, { sheet: 1 }, counter))) {
    if (!seen.see(rows)) break;
  }
  const none = { value: '', why: '' };
  const sheets = workbook.sheets.map(({ name }) => name);
  // A sheet has as many cells in each row.
  const rows = seen.rows.map((row) => [...row, ...Array<Cell>(seen.width - row.length).fill('')]);
  return { name: file.name, format: 'xlsx', encoding: none, delimiter: none, rows, sheets, isWhole: seen.isWhole };
}

async function lookAtCsv(file: OpenedFile, counter: Counter): Promise<Look> {
  const bytes = await file.read(0, LOOKED_BYTES);
  const isAll = bytes.length === file.size;
  const encoding = encodingOf(bytes, isAll);
  const text = new TextDecoder(encoding.value).decode(bytes);
  const delimiter = delimiterOf(file.name, text);
  const all = rowsOf(file.name, text, delimiter.value, LOOKED_ROWS, counter);
  const seen = new SeenRows();
  // The last row may be cut.
  seen.see(isAll ? all : all.slice(0, -1));
  const isWhole = isAll && all.length < LOOKED_ROWS && seen.isWhole;
  return { name: file.name, format: 'csv', encoding, delimiter, rows: seen.rows, sheets: [], isWhole };
}

/** Rows up to `LOOKED_CELLS`, gaps at their ends counted. */
class SeenRows {
  readonly rows: Row[] = [];
  width = 0;
  /** All rows were taken. */
  isWhole = true;

  /** Takes rows; false: there is no room for all of them. */
  see(rows: readonly Row[]): boolean {
    for (const row of rows) {
      const width = Math.max(this.width, row.length);
      if (this.rows.length === LOOKED_ROWS || (this.rows.length + 1) * width > LOOKED_CELLS) {
        this.isWhole = false;
        return false;
      }
      this.width = width;
      this.rows.push(row.map(shortened));
    }
    return true;
  }
}

function shortened(cell: Cell): Cell {
  if (typeof cell !== 'string' || cell.length <= LOOKED_CHARACTERS) return cell;
  // A piece that is cut from a text would keep all of it.
  return Buffer.from(cell.slice(0, LOOKED_CHARACTERS)).toString();
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

function delimiterOf(name: string, text: string): Guess<string> {
  const tried = DELIMITERS.map((delimiter) => {
    const widths = rowsOf(name, text.slice(0, TRIED_CHARACTERS), delimiter, TRIED_ROWS).map((row) => row.length);
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

/** Returns the first rows of a text. @throws StatementFileError for a row beyond the limits of `counter` */
function rowsOf(name: string, text: string, delimiter: string, most: number, counter?: Counter): string[][] {
  const options = {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    bom: true,
    to: most,
    max_record_size: FILE_LIMITS.rowCharacters,
    // The record size does not count delimiters.
    cast: (cell: string, { index, records }: CastingContext) => {
      counter?.row(records + 1, index + 1);
      return cell;
    },
  };
  try {
    return parse(text, options);
  } catch (error) {
    if (error instanceof StatementFileError) throw error;
    // A quote without its end: as a file that has no quotes.
    return rowsWithoutQuotes(name, text, options);
  }
}

function rowsWithoutQuotes(name: string, text: string, options: Options): string[][] {
  try {
    return parse(text, { ...options, quote: null }) as unknown as string[][];
  } catch (error) {
    if (error instanceof StatementFileError) throw error;
    const what = `has a row of more than ${FILE_LIMITS.rowCharacters} characters`;
    throw new StatementFileError(name, {}, what, 'Give a CSV or XLSX file.', error);
  }
}
