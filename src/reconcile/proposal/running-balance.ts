import type { Cell } from '../file/cell.ts';
import { numberReader } from '../file/number.ts';
import { isMoney } from './columns.ts';
import { numberFormOf } from './forms.ts';
import { cellsOfColumn, type FoundTable } from './table.ts';

/** Columns by their index from 0. */
export interface RunningBalance {
  readonly balance: number;
  readonly amount: number;
}

/** Lines from which a sum is no chance any more. */
const FEWEST_LINES = 3;

/**
 * Finds a running balance by its data: a column of which each value is the one before plus the amount of another column, or, with the
 * newest line first, the one below plus its amount. Null: no two of these columns are such a pair.
 */
export function runningBalance(table: FoundTable, columns: readonly number[]): RunningBalance | null {
  const money = columns.flatMap((index) => {
    const cells = cellsOfColumn(table.lines, index);
    const values = isMoney(cells) ? valuesOf(cells) : null;
    return values === null || values.length < FEWEST_LINES ? [] : [{ index, values }];
  });
  for (const balance of money) {
    const amount = money.find((one) => one !== balance && runs(balance.values, one.values));
    if (amount !== undefined) return { balance: balance.index, amount: amount.index };
  }
  return null;
}

/** Null: some cell is empty or no number. */
function valuesOf(cells: readonly Cell[]): bigint[] | null {
  const read = numberReader(numberFormOf(cells).value);
  const values = cells.map(read).filter((value) => typeof value === 'bigint');
  return values.length === cells.length ? values : null;
}

/** Whether each balance is the one before it, or below it, plus the amount of its line. */
export function runs(balances: readonly bigint[], amounts: readonly bigint[]): boolean {
  if (amounts.every((amount) => amount === 0n)) return false;
  const follows = (before: bigint | undefined, index: number) =>
    before === undefined || before + (amounts[index] ?? 0n) === balances[index];
  const oldestFirst = balances.every((_, index) => follows(balances[index - 1], index));
  return oldestFirst || balances.every((_, index) => follows(balances[index + 1], index));
}
