import type { Profile } from '../profile/load.ts';
import { type Cell, cellText, type Row } from './cell.ts';
import type { Column, Columns } from './columns.ts';
import { StatementFileError } from './problem.ts';

interface DatedCell {
  readonly row: number;
  readonly text: string;
}

/**
 * Looks for a spreadsheet that has read some of the days of a column in its own way: of dd/MM/yyyy it makes typed dates up to the 12th,
 * with day and month swapped, and the rest stays text. Days of which no typed one is after the 12th are those.
 */
export class DateKinds {
  readonly #column: Column | null;
  #typed: DatedCell | null = null;
  #text: DatedCell | null = null;
  #isSafe = false;

  constructor(profile: Profile, columns: Columns) {
    const { file, dateFormat = '' } = profile;
    const mayBeSwapped = file.format === 'xlsx' && /^[^y]*\b(d{1,2}|M{1,2})\b[^y]*\b(d{1,2}|M{1,2})\b/.test(dateFormat);
    this.#column = mayBeSwapped ? columns.of(profile.columns.date) : null;
  }

  see(row: Row, number: number): void {
    if (this.#column === null || this.#isSafe) return;
    const cell: Cell = row[this.#column.index] ?? '';
    const seen = { row: number, text: cellText(cell) };
    if (typeof cell === 'string') {
      if (seen.text !== '') this.#text ??= seen;
    } else if (cell.kind === 'date') {
      this.#typed ??= seen;
      this.#isSafe = Number(cell.date.slice(-2)) > 12;
    }
  }

  /** Throws StatementFileError when the days of the column cannot be trusted. */
  refuse(file: string): void {
    const [column, typed, text] = [this.#column, this.#typed, this.#text];
    if (column === null || typed === null || text === null || this.#isSafe) return;
    throw new StatementFileError(
      file,
      { row: typed.row, column: column.name, value: typed.text },
      `is a typed date, row ${text.row} has text (${JSON.stringify(text.text)}), and no typed date is after the 12th: a spreadsheet may have swapped day and month of the typed ones`,
      'Export the file again without opening it in a spreadsheet, as CSV if that is possible; or make each cell of the column a date that is right.',
    );
  }
}
