import type { ColumnRef } from '../profile/columns.ts';
import type { Profile } from '../profile/load.ts';
import { cellText, type Row } from './cell.ts';
import type { Columns } from './columns.ts';

/** Returns the columns of what moves the balance. */
function amountColumns({ amount }: Profile, columns: Columns): number[] {
  const { signed, unsigned, debitCredit } = amount;
  return [signed, unsigned, debitCredit?.debit, debitCredit?.credit]
    .filter((ref): ref is ColumnRef => ref !== undefined)
    .map((ref) => columns.of(ref).index);
}

/**
 * Returns the judge of rows below the header in which the profile names a balance or a total, such as an opening balance above the first
 * line. Such a row is no line when it has no date, no amount, or only the amount that the profile names; else it stays a line.
 */
export function statedRows(profile: Profile, columns: Columns): (row: Row, number: number) => boolean {
  const { balance, controls } = profile;
  const named = new Map<number, number[]>();
  for (const cell of [balance.opening, balance.closing, controls.rows, controls.sum]) {
    if (cell === undefined) continue;
    named.set(cell.row, [...(named.get(cell.row) ?? []), columns.outside(cell.column).index]);
  }
  const date = columns.of(profile.columns.date).index;
  const amounts = amountColumns(profile, columns);
  return (row, number) => {
    const stated = named.get(number);
    if (stated === undefined) return false;
    const hasAmount = amounts.some((index) => !stated.includes(index) && /[1-9]/.test(cellText(row[index])));
    return cellText(row[date]) === '' || !hasAmount;
  };
}
