import type { Cell, RowBatch } from './cell.ts';
import { cellTextOf, withPiece } from './cell-texts.ts';
import type { Counter } from './limits.ts';
import type { OpenedFile } from './opened-file.ts';
import { StatementFileError } from './problem.ts';
import { openWorkbook, type References, RichText, unreadable, type Workbook } from './workbook.ts';
import { dateOfNumber, dateOfText } from './workbook-dates.ts';
import { type Attributes, XmlError, type XmlListener } from './xml.ts';

/** Which sheet: by its number from 1, or its name. */
export interface SheetForm {
  readonly sheet: string | number;
}

/** Reads the rows of one sheet of a workbook, piece by piece. Throws StatementFileError for a damaged file, or one beyond a limit. */
export async function* xlsxRows(file: OpenedFile, form: SheetForm, counter: Counter): AsyncGenerator<RowBatch> {
  yield* sheetRows(file, await openWorkbook(file, counter), form, counter);
}

/** The same of a workbook that has been opened. */
export async function* sheetRows(
  file: OpenedFile,
  workbook: Workbook,
  { sheet }: SheetForm,
  counter: Counter,
): AsyncGenerator<RowBatch> {
  const { sheets } = workbook;
  const found = typeof sheet === 'number' ? sheets[sheet - 1] : sheets.find(({ name }) => name === sheet);
  if (found === undefined) {
    const what = `has no sheet ${JSON.stringify(sheet)}`;
    throw new StatementFileError(file.name, {}, what, 'Mend file.sheet in the profile.');
  }
  if (found.part === null) throw unreadable(file.name, `the sheet ${JSON.stringify(found.name)} has no cells`);
  const rows = new SheetRows(file.name, await workbook.references(), counter);
  for await (const share of workbook.read(found.part, rows)) {
    const batch = rows.take();
    if (batch.rows.length > 0) yield { ...batch, bytes: Math.floor(share * file.size) };
  }
  rows.finish();
}

/** Rows and columns of a sheet, as spreadsheet programs have them. */
const LAST_ROW = 1_048_576;
const LAST_COLUMN = 16_384;
/** Where the parts of a sheet stand: `<worksheet><sheetData><row><c><v>`. */
const [SHEET, DATA, ROW, CELL, VALUE] = [1, 2, 3, 4, 5];
/** What other programs add to a row; it holds no cells. */
const EXTENSIONS = 'extLst';
const NO_CELLS: readonly Cell[] = [];

/** Makes rows of the elements of a sheet. Rows and cells must come in their order, each once: else the sheet has two readings. */
class SheetRows implements XmlListener {
  readonly #file: string;
  readonly #references: References;
  readonly #counter: Counter;
  /** Rows that have not been taken, without gaps; the first is that behind `#taken`. */
  #rows: (readonly Cell[])[] = [];
  #formulas = new Map<number, Set<number>>();
  #taken = 0;
  #hasData = false;
  #isInData = false;
  #isInCell = false;
  /** Rows that were read: the number of the present one, or the last one. */
  #row = 0;
  #cells: Cell[] = [];
  /** The column of the present cell, or of the last one, from 1. */
  #column = 0;
  #attributes: Attributes = {};
  #part = '';
  #value: string | null = null;
  readonly #inline = new RichText(VALUE);

  constructor(file: string, references: References, counter: Counter) {
    this.#file = file;
    this.#references = references;
    this.#counter = counter;
  }

  open(name: string, attributes: Attributes, depth: number): void {
    if (depth > VALUE) {
      if (this.#part === 'is') this.#inline.open(name, depth);
    } else if (depth === VALUE) this.#part = this.#isInCell ? this.#openPart(name) : '';
    else if (depth === CELL && this.#isInData && name === 'c') this.#openCell(attributes);
    else if (depth === ROW && this.#isInData && name === 'row') this.#openRow(attributes);
    else if (depth === DATA && name === 'sheetData') this.#openData();
    else if (depth === SHEET && name !== 'worksheet') throw new XmlError(`its root is <${name}>`);
    else if (this.#isInData && name !== EXTENSIONS) throw new XmlError(`it has <${name}> among its rows and cells`);
  }

  text(text: string): void {
    if (this.#part === 'v') this.#value = withPiece(this.#value ?? '', text);
    else if (this.#part === 'is') this.#inline.text(text);
  }

  close(name: string, depth: number): void {
    if (!this.#isInData) return;
    if (depth > VALUE) this.#inline.close(name);
    else if (depth === VALUE) this.#part = '';
    else if (depth === CELL && this.#isInCell) this.#closeCell();
    else if (depth === ROW && name === 'row') this.#closeRow();
    else if (depth === DATA) this.#isInData = false;
  }

  /** Returns the rows that were read since the last call. */
  take(): Omit<RowBatch, 'bytes'> {
    const batch = { firstRow: this.#taken + 1, rows: this.#rows, formulas: this.#formulas };
    this.#taken += this.#rows.length;
    this.#rows = [];
    this.#formulas = new Map();
    return batch;
  }

  finish(): void {
    if (!this.#hasData) throw unreadable(this.#file, 'its sheet has no cells');
  }

  #openData(): void {
    if (this.#hasData) throw new XmlError('it has <sheetData> twice');
    [this.#hasData, this.#isInData] = [true, true];
  }

  #openRow({ r }: Attributes): void {
    const row = r === undefined ? this.#row + 1 : Number(/^[1-9]\d{0,6}$/.exec(r)?.[0] ?? Number.NaN);
    if (!(row > this.#row && row <= LAST_ROW)) {
      throw new XmlError(`its row ${JSON.stringify(r ?? row)} follows row ${this.#row}`);
    }
    this.#row = row;
    this.#cells = [];
    this.#column = 0;
  }

  #openCell(attributes: Attributes): void {
    const place = attributes.r;
    const [, letters = '', row] = place === undefined ? [] : (PLACE.exec(place) ?? []);
    const column = place === undefined ? this.#column + 1 : columnNumber(letters);
    const isInOrder = column > this.#column && column <= LAST_COLUMN;
    if (!isInOrder || (place !== undefined && Number(row) !== this.#row)) {
      const shown = JSON.stringify(place ?? column);
      throw new XmlError(`its cell ${shown} follows column ${this.#column} of row ${this.#row}`);
    }
    this.#column = column;
    this.#attributes = attributes;
    this.#value = null;
    this.#isInCell = true;
  }

  #openPart(name: string): string {
    if (name === 'f') {
      const columns = this.#formulas.get(this.#row) ?? new Set();
      this.#formulas.set(this.#row, columns.add(this.#column - 1));
    }
    if (name === 'v') {
      if (this.#value !== null) throw new XmlError(`a cell of row ${this.#row} has <v> twice`);
      this.#value = '';
    }
    return name;
  }

  #closeCell(): void {
    this.#isInCell = false;
    const cell = this.#cell();
    if (cell === '') return;
    while (this.#cells.length < this.#column - 1) this.#cells.push('');
    this.#cells.push(cell);
    this.#counter.text(this.#row, typeof cell === 'string' ? cell.length : 'text' in cell ? cell.text.length : 0);
  }

  #closeRow(): void {
    this.#counter.row(this.#row, this.#cells.length);
    this.#counter.sheetCells(this.#row, this.#cells.length);
    if (this.#cells.length === 0 && !this.#formulas.has(this.#row)) return;
    while (this.#taken + this.#rows.length < this.#row - 1) this.#rows.push(NO_CELLS);
    this.#rows.push(this.#cells);
  }

  /** What the present cell holds. Dates have the type of numbers: only their format tells. */
  #cell(): Cell {
    const { t: type = 'n', s: format } = this.#attributes;
    const value = this.#value;
    switch (type) {
      case 'inlineStr':
        return this.#inline.take();
      case 'e':
        return { kind: 'error', text: cellTextOf(value || '#N/A').slice(0, LONGEST_ERROR) };
    }
    if (value === null || value === '') return '';
    switch (type) {
      case 'str':
        return cellTextOf(value);
      case 's':
        return this.#references.texts.at(Number(value)) ?? this.#wrong(`names the text ${value}, which is not there`);
      case 'b':
        return value === '1' ? 'TRUE' : value === '0' ? 'FALSE' : this.#wrong(`is a truth value, and ${value}`);
      case 'd':
        return dateOfText(value) ?? cellTextOf(value);
      case 'n': {
        const { isDate, is1904 } = this.#references;
        const shows = format === undefined || format === '' ? false : isDate[Number(format)];
        if (shows === undefined) return this.#wrong(`has the format ${format}, which is not there`);
        return (shows ? dateOfNumber(value, is1904) : null) ?? { kind: 'number', text: cellTextOf(value) };
      }
      default:
        return this.#wrong(`has the unknown type ${type}`);
    }
  }

  #wrong(what: string): never {
    const shown = what.length > 100 ? `${what.slice(0, 100)}…` : what;
    throw unreadable(this.#file, `the cell in row ${this.#row}, column ${this.#column} ${shown}`);
  }
}

const PLACE = /^([A-Z]{1,3})([1-9]\d{0,6})$/;
/** Characters of an error, such as `#DIV/0!`. */
const LONGEST_ERROR = 20;

/** Returns 27 for AA. */
function columnNumber(letters: string): number {
  let number = 0;
  for (let at = 0; at < letters.length; at++) number = number * 26 + letters.charCodeAt(at) - 64;
  return number;
}
