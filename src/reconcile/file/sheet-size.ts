import type { FileLimits } from './limits.ts';
import type { ZipFault } from './zip.ts';

// How large a sheet is in memory, before it is read: a sheet with one cell in its last row and column is a small file and
// seventeen thousand million cells.

/** Rows and cells carry their place: `<row r="7">`, `<c r="B7">`. */
const TAG = /<(?:\w+:)?(row|c)(?=[\s/>])([^>]*)>/g;
const PLACE = /\sr\s*=\s*["']([A-Za-z]{0,6})(\d{1,10})["']/;

const ERROR = /\st\s*=\s*["']e["']/;

/** What is known of a part of a spreadsheet before it is read. */
export interface SheetFacts {
  /** Some cell shows an error, such as #N/A. */
  readonly hasBrokenCell: boolean;
}

/** Returns why a part of a spreadsheet is too large to be read, else what its cells are. */
export function judgeSheet(name: string, xml: Buffer, limits: FileLimits): ZipFault | SheetFacts {
  if (!/(^|\/)worksheets\//.test(name)) return { hasBrokenCell: false };
  let hasBrokenCell = false;
  let [rows, cells, widest, inRow, row] = [0, 0, 0, 0, 0];
  for (const [, tag, attributes = ''] of xml.toString('latin1').matchAll(TAG)) {
    const [, letters = '', number] = PLACE.exec(attributes) ?? [];
    hasBrokenCell ||= ERROR.test(attributes);
    row = number === undefined ? row + (tag === 'row' ? 1 : 0) : Number(number);
    inRow = tag === 'row' ? 0 : inRow + 1;
    cells += tag === 'c' ? 1 : 0;
    rows = Math.max(rows, row);
    widest = Math.max(widest, inRow, columnNumber(letters));
  }
  if (rows > limits.rows) return tooLarge(`has ${rows} rows, and the limit is ${limits.rows}`);
  const area = Math.max(cells, rows * widest);
  return area > limits.cells
    ? tooLarge(`has ${area} cells (${rows} rows of ${widest}), and the limit is ${limits.cells}`)
    : { hasBrokenCell };
}

function tooLarge(what: string): ZipFault {
  return { what, cure: 'Delete empty rows and columns behind the table, split the sheet, or save it as CSV.' };
}

/** Returns 27 for AA. */
export function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}
