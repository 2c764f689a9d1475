import type { Cell } from '../../file/cell.ts';
import type { SheetFormat } from '../columns.ts';

/** A row of a file, as it was read. */
export interface SourceRow {
  /** As a spreadsheet shows it: the first row of the file is 1. */
  readonly row: number;
  readonly cells: readonly Cell[];
  /** Columns, from 0, whose cell is a formula; none in a CSV file, where a formula is text. */
  readonly formulas: ReadonlySet<number>;
}

/** A spreadsheet that a person saved. */
export interface SheetSource {
  /** Its name, without folders. */
  readonly file: string;
  /** sha256 of its bytes. */
  readonly digest: string;
  readonly format: SheetFormat;
  readonly rows: readonly SourceRow[];
}

export const NO_FORMULAS: ReadonlySet<number> = new Set();
