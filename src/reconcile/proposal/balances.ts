import { type Cell, cellText, isEmptyRow, type Row } from '../file/cell.ts';
import { plainAmount } from './amount-text.ts';
import { foldedWord } from './fold.ts';
import type { FoundTable } from './table.ts';
import { BALANCE_WORDS } from './words.ts';

/** A cell outside the table that probably holds a balance. */
export interface BalanceCell {
  readonly path: 'balance.opening' | 'balance.closing';
  readonly row: number;
  readonly column: number;
  readonly cell: Cell;
  readonly why: string;
}

/**
 * Finds opening and closing balances outside the lines: a word, and a number to the right of it. Rows below the header come first: one
 * that no setting names would be read as a line.
 */
export function balanceCells(rows: readonly Row[], { skipRows, stated, footer }: FoundTable): BalanceCell[] {
  const inTable = rows
    .map((row, index) => ({ row, number: index + 1 }))
    .slice(skipRows + 1)
    .filter(({ row }) => !isEmptyRow(row))
    .slice(0, stated);
  const above = rows.slice(0, skipRows).map((row, index) => ({ row, number: index + 1 }));
  const filled = rows.filter((row) => !isEmptyRow(row));
  const below = filled.slice(filled.length - footer).map((row, index) => ({ row, number: index - footer }));
  const found: BalanceCell[] = [];
  for (const { row, number } of [...inTable, ...above, ...(footer === 0 ? [] : below)]) {
    for (const [path, pattern] of BALANCE_WORDS) {
      const word = row.findIndex((cell) => pattern.test(foldedWord(cellText(cell))));
      const numbers = word < 0 ? [] : [...row.keys()].filter((index) => index > word && isNumber(row[index] ?? ''));
      // Debit and credit of 0.00 may stand before the balance.
      const column = numbers.find((index) => /[1-9]/.test(cellText(row[index]))) ?? numbers[0];
      if (column === undefined || found.some((one) => one.path === path)) continue;
      found.push({
        path,
        row: number,
        column: column + 1,
        cell: row[column] ?? '',
        why: `beside ${JSON.stringify(cellText(row[word]).slice(0, 40))}`,
      });
    }
  }
  return found;
}

function isNumber(cell: Cell): boolean {
  return typeof cell === 'string'
    ? /^[-+(\u2212]?\d[\d.,'’ \u00a0]*[-)]?$/.test(plainAmount(cell.trim()))
    : cell.kind === 'number';
}
