import { TallyhookError } from '../../domain/error.ts';
import { printableLine } from '../../domain/text/printable.ts';

/** Where in a file, and what was seen there; null where the whole file is meant. */
export interface FilePlace {
  readonly row?: number;
  /** The header, or the number from 1. */
  readonly column?: string;
  readonly value?: string;
}

/** A file that cannot be read as its profile says: nothing of it is kept. */
export class StatementFileError extends TallyhookError {
  override readonly name = 'StatementFileError';
  readonly file: string;
  readonly row: number | null;
  readonly column: string | null;
  readonly value: string | null;

  /** `what` follows the place: `is no number`. `cure` is a sentence. */
  constructor(file: string, place: FilePlace, what: string, cure: string, cause?: unknown) {
    const { row, column, value } = place;
    const where = [
      file,
      ...(row === undefined ? [] : [`row ${row}`]),
      ...(column === undefined ? [] : [`column ${column}`]),
    ].join(', ');
    const seen = value === undefined ? '' : ` ${shownValue(value)}`;
    super(printableLine(`${where}:${seen} ${what}.`), { kind: 'usage', hint: cure, cause });
    this.file = file;
    this.row = row ?? null;
    this.column = column ?? null;
    this.value = value ?? null;
  }
}

const LONGEST_SHOWN = 80;

/** Returns a value of a file as a message shows it: in quotes, on one line, not longer than a line. */
export function shownValue(value: string): string {
  const text = value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value;
  return JSON.stringify(text.toWellFormed());
}

/** What to do with a row that has no date or no amount. */
export const NO_LINE_ADVICE =
  'if the row states a balance or a total, name its cell in balance or controls; if it is a note at the end, count it in file.footer; else mend the cell';
