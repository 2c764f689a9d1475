import type { SheetCell } from './cells.ts';

export interface WorkbookColumn {
  readonly header: string;
  /** In characters. */
  readonly width: number;
  /** Shaded: a person leaves it as it is. */
  readonly isLocked?: boolean;
  /** What a person types into an empty cell: without a format of its own, `TRUE` and `1-2` would become something else. */
  readonly typing?: 'text' | 'day';
  /** Where the words stand from which a person chooses: `words!$A$2:$A$7`. Other text can still be typed. */
  readonly choices?: string;
}

export interface WorkbookSheet {
  readonly name: string;
  readonly columns: readonly WorkbookColumn[];
  readonly rows: readonly (readonly SheetCell[])[];
  /** Buttons in the header, by which a person sorts and filters the rows. */
  readonly hasFilter?: boolean;
  /** Control totals; below the rows, in bold, outside the filter. */
  readonly totals?: readonly (readonly SheetCell[])[];
}
