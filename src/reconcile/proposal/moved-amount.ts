import { magnitude } from '../../domain/money/amount.ts';
import { type Cell, cellText } from '../file/cell.ts';
import { numberReader } from '../file/number.ts';
import type { RoleGuess, Roles } from './columns.ts';
import { numberFormOf } from './forms.ts';
import { runs } from './running-balance.ts';
import { cellsOfColumn, type FoundTable } from './table.ts';

/**
 * Of an amount and a net amount, returns as `signed` the one that moves the balance: the amount, unless the lines say that it is
 * before charges.
 */
export function withMovedAmount(table: FoundTable, roles: Roles): Roles {
  const { signed, net, gross } = roles;
  if (signed === undefined || net === undefined) return roles;
  if (!isLeftOver(table, roles, signed, net)) return roles;
  if (isNetOf(table, roles, signed, net)) return { ...roles, signed: net, gross: gross ?? signed };
  const { signed: _before, ...rest } = roles;
  return rest;
}

/** Whether each net amount is the amount of its line less the charges that have a column. */
export function isNetOf(table: FoundTable, roles: Roles, amount: RoleGuess, net: RoleGuess): boolean {
  const charges = [roles.fee, roles.tax, roles.duty].flatMap((one) =>
    one === undefined ? [] : [valuesOf(table, one)],
  );
  const [gross, left] = [valuesOf(table, amount), valuesOf(table, net)];
  return gross.every((value, index) => {
    const charged = charges.reduce((sum, values) => sum + (values[index] ?? 0n), 0n);
    return [value - charged, value + charged].some((one) => magnitude(one) === magnitude(left[index] ?? 0n));
  });
}

/**
 * Whether the net amount is what is left of the amount. A running balance says it; without one it is less in some line and more in
 * none, and a fee column or the order of the two columns tells that it was not the amount that moved.
 */
function isLeftOver(table: FoundTable, roles: Roles, amount: RoleGuess, net: RoleGuess): boolean {
  const [gross, left] = [valuesOf(table, amount), valuesOf(table, net)];
  if (roles.balance !== undefined) {
    const balances = valuesOf(table, roles.balance);
    const [byAmount, byNet] = [runs(balances, gross), runs(balances, left)];
    if (byAmount !== byNet) return byNet;
  }
  const less = gross.map((value, index) => magnitude(value) - magnitude(left[index] ?? 0n));
  if (less.every((one) => one === 0n)) return false;
  if (roles.fee !== undefined && isNetOf(table, roles, amount, net)) return true;
  return net.index > amount.index && less.every((one) => one >= 0n);
}

/** An empty cell, or one without a number, counts as 0. */
function valuesOf({ lines }: FoundTable, { index }: RoleGuess): bigint[] {
  const cells: readonly Cell[] = cellsOfColumn(lines, index);
  const read = numberReader(numberFormOf(cells.filter((cell) => cellText(cell) !== '')).value);
  return cells.map((cell) => {
    const value = read(cell);
    return typeof value === 'bigint' ? value : 0n;
  });
}
