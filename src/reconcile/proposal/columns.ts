import { type Cell, cellText } from '../file/cell.ts';
import { plainAmount } from './amount-text.ts';
import { numberFormOf } from './forms.ts';
import type { Guess } from './guess.ts';
import type { ColumnRole } from './words.ts';

/** A column of the file and what it probably holds. */
export interface RoleGuess extends Guess<string | number> {
  readonly index: number;
}
export type Roles = Partial<Record<ColumnRole, RoleGuess>>;

/** Its header; its number from 1 where it has none, or where two columns have it. */
export function columnName(header: readonly string[] | null, index: number): string | number {
  const name = header?.[index] ?? '';
  return name !== '' && header?.indexOf(name) === header?.lastIndexOf(name) ? name : index + 1;
}

export function wordsOf(cells: readonly Cell[]): string[] {
  return [...new Set(cells.map(cellText))].filter((word) => word !== '');
}

export function isMoney(cells: readonly Cell[]): boolean {
  const filled = cells.filter((cell) => cellText(cell) !== '');
  const typed = filled.every((cell) => typeof cell !== 'string' && cell.kind === 'number');
  const texts = filled.map((cell) => plainAmount(cellText(cell)));
  const isWritten = texts.some((text) =>
    /[.,]\d{2}\)?-?$|^[-+(\u2212]?\d{1,3}([.,'’ \u00a0]\d{2,3})+[-)]?$/.test(text),
  );
  return (
    typed ||
    (isWritten &&
      texts.every((text) => /^[-+(\u2212]? ?[\d.,'’ \u00a0]+[-)]?$/.test(text)) &&
      numberFormOf(filled).value !== null)
  );
}

export function isNegative(cell: Cell): boolean {
  return /^[-(\u2212]|-$/.test(plainAmount(cellText(cell).trim()));
}

export function share(cells: readonly Cell[], holds: (cell: Cell) => boolean): number {
  return cells.length === 0 ? 0 : cells.filter(holds).length / cells.length;
}

export function exampleOf(cells: readonly Cell[]): string {
  const example = cells.map(cellText).find((text) => text !== '');
  return example === undefined ? '' : `: ${JSON.stringify(example.slice(0, 40))}`;
}
