import { StatementFileError } from './problem.ts';

/** What a file may cost. A file beyond a limit is refused by name; nothing of it is kept. */
export interface FileLimits {
  /** Bytes of the file. */
  readonly bytes: number;
  /** Bytes of the parts of a workbook that are read, once unpacked. */
  readonly unpackedBytes: number;
  /** Rows, those outside the table included. */
  readonly rows: number;
  /** Cells of a sheet of a workbook, empty ones before the last filled one of their row included: a gap costs its file nothing. */
  readonly sheetCells: number;
  /** Cells of one row: a gap before the last one costs its file nothing. */
  readonly rowCells: number;
  /** Characters of a row of a CSV file: an opening quote without its end takes the rest of the file into one row. */
  readonly rowCharacters: number;
  /** Characters of the cells that are kept as texts: of a workbook a million cells may name one text. */
  readonly textCharacters: number;
  /** Bytes of the texts that the cells of a workbook name by number, and of their places: they are held while its sheet is read. */
  readonly sharedBytes: number;
  /** Milliseconds of reading, without what is done with the rows meanwhile. */
  readonly readMs: number;
}

const MEBIBYTE = 1024 * 1024;

export const FILE_LIMITS: FileLimits = {
  bytes: 1024 * MEBIBYTE,
  unpackedBytes: 1024 * MEBIBYTE,
  rows: 10_000_000,
  sheetCells: 20_000_000,
  rowCells: 1_024,
  rowCharacters: MEBIBYTE,
  textCharacters: 128 * MEBIBYTE,
  sharedBytes: 64 * MEBIBYTE,
  readMs: 600_000,
};

/** Characters of a cell, as spreadsheet programs have it. A longer cell is not read. */
export const MOST_CELL_CHARACTERS = 32_767;

/** Characters of the rows that are held back until it is known whether they are the last ones of their file. */
export const MOST_HELD_CHARACTERS = 16 * MEBIBYTE;

/** Counts what is read of one file, and throws StatementFileError at the first limit. */
export class Counter {
  readonly #file: string;
  readonly limits: FileLimits;
  #sheetCells = 0;
  #characters = 0;
  #unpackedBytes = 0;
  #readMs = 0;

  constructor(file: string, limits: FileLimits) {
    this.#file = file;
    this.limits = limits;
  }

  /** `row`: its number in the file, which counts empty rows before it. */
  row(row: number, cells: number): void {
    const { rows, rowCells } = this.limits;
    if (row > rows) this.#refuse({ row: rows + 1 }, `is beyond the limit of ${rows} rows`, SPLIT);
    if (cells <= rowCells) return;
    const cure = 'Delete the columns behind the table, or check that file.delimiter is right.';
    this.#refuse({ row }, `has ${cells} cells, and the limit is ${rowCells}`, cure);
  }

  sheetCells(row: number, cells: number): void {
    this.#sheetCells += cells;
    const { sheetCells } = this.limits;
    if (this.#sheetCells <= sheetCells) return;
    const what = `is beyond the limit of ${sheetCells} cells, empty ones between filled ones counted`;
    this.#refuse({ row }, what, 'Delete empty columns within the table, or split the file, for example by month.');
  }

  text(row: number, characters: number): void {
    this.#characters += characters;
    const { textCharacters } = this.limits;
    if (this.#characters <= textCharacters) return;
    const cure = 'Delete the columns of long texts, or split the file, for example by month.';
    this.#refuse({ row }, `is beyond the limit of ${textCharacters} characters in its cells`, cure);
  }

  unpacked(bytes: number): void {
    this.#unpackedBytes += bytes;
    const { unpackedBytes } = this.limits;
    if (this.#unpackedBytes <= unpackedBytes) return;
    const what = `is ${this.#unpackedBytes} bytes once unpacked, and the limit is ${unpackedBytes}: a zip bomb, or too large a workbook`;
    this.#refuse({}, what, 'Save the sheet as CSV: files of any size are read from that.');
  }

  /** Passes on what `pieces` gives, and counts how long it takes to give it. `now`: a clock that is never set. */
  async *timed<Piece>(
    pieces: AsyncIterable<Piece>,
    now: () => number = () => performance.now(),
  ): AsyncGenerator<Piece> {
    let since = now();
    for await (const piece of pieces) {
      this.#readMs += now() - since;
      if (this.#readMs > this.limits.readMs) {
        this.#refuse({}, `takes more than ${this.limits.readMs / 1_000} s to read`, SPLIT);
      }
      yield piece;
      since = now();
    }
  }

  #refuse(place: { readonly row?: number }, what: string, cure: string): never {
    throw new StatementFileError(this.#file, place, what, cure);
  }
}

const SPLIT = 'Split the file, for example by month.';
