import { type Amount, addAmounts, formatAmount, parseAmount, ZERO } from '../../domain/money/amount.ts';
import { compareTexts } from '../../domain/records/observation.ts';
import { amountCell, type SheetCell, textCell, valueCell, wholeCell } from './cells.ts';
import { type SheetColumn, type SheetException, TOTAL } from './columns.ts';

const SUMMED = ['ours', 'theirs', 'variance', 'effect'] as const;
type Sums = { count: number } & Record<(typeof SUMMED)[number], Amount>;

/** Returns the control totals of these exceptions: a row per currency, in alphabetical order. Words are in no sum. */
export function totalCells(exceptions: readonly SheetException[]): Partial<Record<SheetColumn, SheetCell>>[] {
  const byCurrency = new Map<string, Sums>();
  for (const one of exceptions) {
    const name = one.currency ?? '';
    const sums = byCurrency.get(name) ?? { count: 0, ours: ZERO, theirs: ZERO, variance: ZERO, effect: ZERO };
    byCurrency.set(name, sums);
    sums.count++;
    for (const column of SUMMED) {
      const cell = valueCell(one[column]);
      if (cell?.kind === 'amount') sums[column] = addAmounts(sums[column], parseAmount(cell.text));
    }
  }
  return [...byCurrency]
    .sort(([one], [other]) => compareTexts(one, other))
    .map(([currency, { count, ...sums }]) => ({
      ...{ id: textCell(TOTAL), what: wholeCell(count), currency: textCell(currency === '' ? null : currency) },
      ...Object.fromEntries(SUMMED.map((column) => [column, amountCell(formatAmount(sums[column]))])),
    }));
}
