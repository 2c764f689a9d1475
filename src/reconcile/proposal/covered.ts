import { type Cell, cellText, type Row } from '../file/cell.ts';
import { dateFormat } from '../file/date-format.ts';
import { foldedWord } from './fold.ts';
import type { FoundTable } from './table.ts';
import { COVER_WORDS } from './words.ts';

/** A cell before the table that says the first or the last day of the file. */
export interface CoverCell {
  readonly path: 'covers.from' | 'covers.to';
  readonly row: number;
  readonly column: number;
  readonly why: string;
}

/** Finds the days that a file covers, before the header: a word, and a date in the cell to its right. Both days, or none. */
export function coverCells(rows: readonly Row[], { skipRows }: FoundTable, pattern: string | null): CoverCell[] {
  const reader = pattern === null ? null : dateFormat(pattern);
  const isDate = (cell: Cell | undefined) =>
    typeof cell === 'string' ? reader !== null && reader.read(cell.trim()) !== null : cell?.kind === 'date';
  const found = COVER_WORDS.flatMap(([path, word]): CoverCell[] => {
    for (const [index, row] of rows.slice(0, skipRows).entries()) {
      const at = row.findIndex((cell, column) => word.test(foldedWord(cellText(cell))) && isDate(row[column + 1]));
      if (at < 0) continue;
      return [
        { path, row: index + 1, column: at + 2, why: `beside ${JSON.stringify(cellText(row[at]).slice(0, 40))}` },
      ];
    }
    return [];
  });
  return found.length === COVER_WORDS.length ? found : [];
}
