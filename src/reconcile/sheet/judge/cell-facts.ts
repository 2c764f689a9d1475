import { type Cell, cellText } from '../../file/cell.ts';
import { FILLED_COLUMNS, type LockedColumn, SHEET_COLUMNS, type SheetColumn, type SheetFormat } from '../columns.ts';
import { isMarkedFormula } from '../formula-mark.ts';
import type { SheetRow } from './row.ts';
import { textIn } from './same.ts';

/** Returns the first column with a formula, or with one that was refused before and not mended. */
export function formulaIn(row: SheetRow, format: SheetFormat): SheetColumn | null {
  return formulasIn(row, format)[0] ?? SHEET_COLUMNS.find((column) => isMarked(row.cells[column])) ?? null;
}

/** Returns the columns with a formula; in a CSV file one is text, and only what is read from it counts. */
export function formulasIn({ cells, formulas }: SheetRow, format: SheetFormat): readonly SheetColumn[] {
  if (format === 'xlsx') return formulas;
  const isFormula = (cell: Cell | undefined) => typeof cell === 'string' && /^\s*[=@＝＠]/.test(cell);
  return FILLED_COLUMNS.filter((column) => isFormula(cells[column]));
}

function isMarked(cell: Cell | undefined): boolean {
  return typeof cell === 'string' && isMarkedFormula(cell);
}

export function formulaMessage(cell: Cell | undefined): string {
  if (isMarked(cell)) return 'It was a formula: replace the whole cell by what it is to say.';
  return 'It is a formula: write its value as text in its place.';
}

/** Returns a version, `3` or `3.00`; null: the cell is no whole number. */
export function versionOf(cell: Cell | undefined): number | null {
  const [, whole] = /^(\d{1,15})(?:[.,]0+)?$/.exec(cellText(cell)) ?? [];
  return whole === undefined ? null : Number(whole);
}

/** Returns what a person sees in a cell; null: nothing. */
export function writtenIn(cell: Cell | undefined): string | null {
  const text = textIn(cell ?? '');
  return text === '' ? null : text;
}

/** The same, for a sentence. */
export function shown(cell: Cell | undefined): string {
  return JSON.stringify(writtenIn(cell) ?? '');
}

const DAMAGED = /^-?\d(?:[.,]\d+)?E\+?\d+$/i;

/** Why a cell that is locked is refused. */
export function lockedMessage(column: LockedColumn, cell: Cell | undefined): string {
  const cure = 'Copy the value from the export, or delete the column.';
  if (DAMAGED.test(cellText(cell))) return `The spreadsheet program has shortened it to ${shown(cell)}. ${cure}`;
  if (!REWORDED.includes(column)) return `This column cannot be changed here. ${cure}`;
  return 'This column cannot be changed here, or a run has written it anew. Export again, or delete the column.';
}

/** Sentences: a run may write them anew where nothing else has changed. */
const REWORDED: readonly LockedColumn[] = ['what', 'next_step'];
