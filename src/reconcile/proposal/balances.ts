import { type Cell, cellText, isEmptyRow, type Row } from '../file/cell.ts';
import { foldedWord } from './fold.ts';
import type { FoundTable } from './table.ts';

/** A cell outside the table that probably holds a balance. */
export interface BalanceCell {
  readonly path: 'balance.opening' | 'balance.closing';
  readonly row: number;
  readonly column: number;
  readonly why: string;
}

/** Compared without accents. */
const WORDS = [
  [
    'balance.opening',
    /opening|brought forward|start(ing)? balance|\bb f\b|saldo (inicial|anterior|iniziale|precedente|de abertura|de apertura|di apertura)|(ancien )?solde (initial|precedent|d ouverture)|ancien solde|(anfangs|eroffnungs)(saldo|bestand)|alter (saldo|kontostand)|saldovortrag/,
  ],
  [
    'balance.closing',
    /closing|carried forward|end(ing)? balance|\bc f\b|saldo (final|finale|atual|actual|attuale|de fecho|de encerramento|de cierre|di chiusura)|solde (final|de cloture)|nouveau solde|(end|schluss|abschluss)(saldo|bestand)|neuer (saldo|kontostand)/,
  ],
] as const;

/** Finds opening and closing balances before the header and behind the lines: a word, and a number to the right of it. */
export function balanceCells(rows: readonly Row[], { skipRows, footer }: FoundTable): BalanceCell[] {
  const above = rows.slice(0, skipRows).map((row, index) => ({ row, number: index + 1 }));
  const filled = rows.filter((row) => !isEmptyRow(row));
  const below = filled.slice(filled.length - footer).map((row, index) => ({ row, number: index - footer }));
  const found: BalanceCell[] = [];
  for (const { row, number } of [...above, ...(footer === 0 ? [] : below)]) {
    for (const [path, pattern] of WORDS) {
      const word = row.findIndex((cell) => pattern.test(foldedWord(cellText(cell))));
      const column = word < 0 ? -1 : row.findIndex((cell, index) => index > word && isNumber(cell));
      if (column < 0 || found.some((one) => one.path === path)) continue;
      found.push({
        path,
        row: number,
        column: column + 1,
        why: `beside ${JSON.stringify(cellText(row[word]).slice(0, 40))}`,
      });
    }
  }
  return found;
}

function isNumber(cell: Cell): boolean {
  return typeof cell === 'string' ? /^[-+(\u2212]?\d[\d.,'’ \u00a0]*[-)]?$/.test(cell.trim()) : cell.kind === 'number';
}
