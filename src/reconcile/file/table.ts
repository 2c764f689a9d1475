import type { CellRef } from '../profile/columns.ts';
import type { Profile } from '../profile/load.ts';
import { type Cell, isEmptyRow, type Row, type RowBatch } from './cell.ts';
import { type Columns, columnsIn, refuseMergedHeader } from './columns.ts';
import { MOST_HELD_CHARACTERS } from './limits.ts';
import { StatementFileError } from './problem.ts';

/** A row with its number as a spreadsheet shows it. */
export interface NumberedRow {
  readonly row: Row;
  readonly number: number;
}

export interface FoundCell {
  readonly cell: Cell;
  readonly row: number;
  readonly column: string;
}

/** Divides the rows of a file into those before the header, the header, the lines, and the footer. Empty rows are no rows. */
export class Table {
  readonly #profile: Profile;
  readonly #file: string;
  readonly #wanted = new Map<number, Row | null>();
  /** Rows of the end that are held back: only when the file ends is it known which of them are the footer. */
  readonly #held: NumberedRow[] = [];
  readonly #holds: number;
  #heldCharacters = 0;
  readonly #headerRow: number;
  #columns: Columns | null = null;
  #lastRow = 0;
  #lastColumn = 0;

  constructor(profile: Profile, file: string) {
    this.#profile = profile;
    this.#file = file;
    const { skipRows, header, footer } = profile.file;
    const numbers = cellsOf(profile).map(({ row }) => row);
    for (const row of numbers.filter((number) => number > 0)) this.#wanted.set(row, null);
    this.#holds = Math.max(footer, ...numbers.map((number) => -number));
    this.#headerRow = header ? skipRows + 1 : 0;
    if (!header) this.#columns = columnsIn(file, profile, null);
  }

  /** Null until the header has been read. */
  get columns(): Columns | null {
    return this.#columns;
  }

  /** Passes on the rows of a batch that are lines; those at the end are held back. */
  take({ firstRow, rows }: Pick<RowBatch, 'firstRow' | 'rows'>, line: (row: NumberedRow) => void): void {
    const { skipRows } = this.#profile.file;
    let number = firstRow - 1;
    for (const row of rows) {
      number++;
      if (row.length > this.#lastColumn) this.#lastColumn = row.length;
      if (this.#wanted.has(number)) this.#wanted.set(number, row);
      if (number === this.#headerRow) this.#columns = columnsIn(this.#file, this.#profile, { row, number });
      else if (number > skipRows && !isEmptyRow(row)) this.#hold({ row, number }, line);
    }
    this.#lastRow = number;
  }

  /** Passes on the last lines, and returns the footer. Throws StatementFileError when the file ends too early. */
  finish(line: (row: NumberedRow) => void): readonly NumberedRow[] {
    const { header, footer } = this.#profile.file;
    if (this.#columns === null) {
      const what = `ends before row ${this.#headerRow}, where the profile says the header is`;
      throw new StatementFileError(
        this.#file,
        this.#end,
        this.#lastRow === 0 ? 'is empty' : what,
        'Is the file complete? Else mend file.skipRows.',
      );
    }
    this.#columns.refuseBeyond(this.#lastColumn);
    const lines = this.#held.length - footer;
    if (lines < 0) {
      const what = `has ${this.#held.length} rows${header ? ' below its header' : ''}, and file.footer is ${footer}`;
      throw new StatementFileError(this.#file, this.#end, what, 'Is the file complete? Else mend file.footer.');
    }
    for (const row of this.#held.slice(0, lines)) line(row);
    return this.#held.slice(lines);
  }

  /** Returns a cell outside the lines. Throws StatementFileError when the file has no such row. */
  cell({ row, column }: CellRef): FoundCell {
    const found = row > 0 ? { row: this.#wanted.get(row) ?? null, number: row } : this.#held.at(row);
    const index = this.#columns?.outside(column).index ?? 0;
    // As the profile names it: a number has no header, which is that of the lines.
    const name = String(column);
    if (found?.row == null) {
      const what = `is not there: the file has ${this.#lastRow} rows`;
      throw new StatementFileError(
        this.#file,
        { row, column: name },
        what,
        'Mend the row of this cell in the profile.',
      );
    }
    return { cell: found.row[index] ?? '', row: found.number, column: name };
  }

  /** The last row; a file without rows has none. */
  get #end() {
    return this.#lastRow === 0 ? {} : { row: this.#lastRow };
  }

  #hold(row: NumberedRow, line: (row: NumberedRow) => void): void {
    if (this.#columns !== null) refuseMergedHeader(this.#file, this.#columns, row.row, this.#headerRow);
    this.#held.push(row);
    this.#heldCharacters += charactersOf(row.row);
    if (this.#held.length > this.#holds) {
      const first = this.#held.shift();
      if (first === undefined) return;
      this.#heldCharacters -= charactersOf(first.row);
      line(first);
    }
    if (this.#heldCharacters <= MOST_HELD_CHARACTERS) return;
    const what = `and the ${this.#held.length - 1} rows above it, which may be the end of the file, have more than ${MOST_HELD_CHARACTERS} characters`;
    const cure =
      'Mend file.footer in the profile, and the rows that its cells name from the end, or delete the columns of long texts.';
    throw new StatementFileError(this.#file, { row: row.number }, what, cure);
  }
}

function charactersOf(row: Row): number {
  let characters = 0;
  for (const cell of row) characters += typeof cell === 'string' ? cell.length : 'text' in cell ? cell.text.length : 0;
  return characters;
}

/** Returns every cell outside the table that a profile names. */
export function cellsOf({ balance, controls, covers }: Profile): CellRef[] {
  const cells = [balance.opening, balance.closing, controls.rows, controls.sum, covers.from, covers.to];
  return cells.filter((cell) => cell !== undefined);
}
