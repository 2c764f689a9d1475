import type { Cell } from '../file/cell.ts';
import { minusOf } from './balance-says.ts';
import { type Roles, wordsOf } from './columns.ts';
import { hasDecimals, numberFormOf } from './forms.ts';
import { isNetOf } from './moved-amount.ts';
import type { Add } from './setting.ts';
import { cellsOfColumn, type FoundTable } from './table.ts';
import { directionsOf, isInMinorUnits } from './words.ts';

/** Adds what moves the balance, how numbers are written, and fee, tax and duty. `outside`: amounts outside the table. */
export function amountSettings(table: FoundTable, roles: Roles, outside: readonly Cell[], add: Add): void {
  const amounts = [roles.debit, roles.credit, roles.signed, roles.net, roles.gross];
  const [debit, credit, signed] = amounts;
  if (debit !== undefined && credit !== undefined) {
    add('amount.debitCredit.debit', debit.value, debit.why);
    add('amount.debitCredit.credit', credit.value, credit.why);
    const minus = minusOf(table, roles);
    if (minus !== null) add('amount.debitCredit.negative', minus.value, minus.why);
  } else {
    const amount = signed ??
      roles.net ??
      roles.gross ?? {
        value: table.header?.at(-1) || table.width,
        why: 'no column of amounts was found: which one is it?',
      };
    add(
      roles.sign === undefined ? 'amount.signed' : 'amount.unsigned',
      amount.value,
      `${amount.why}; it must be what moves the balance`,
    );
    if (roles.sign !== undefined) {
      const { debit, credit } = directionsOf(wordsOf(cellsOfColumn(table.lines, roles.sign.index)));
      add('amount.sign.column', roles.sign.value, roles.sign.why);
      add('amount.sign.debit', debit, 'words of money out');
      add('amount.sign.credit', credit, 'words of money in');
    }
  }
  const money = [...amounts, roles.balance, roles.fee, roles.tax, roles.duty];
  const cells = money.flatMap((one) => (one === undefined ? [] : cellsOfColumn(table.lines, one.index)));
  const { value: form, why } = numberFormOf([...cells, ...outside]);
  add('number.decimal', form.decimal, why);
  add('number.group', form.group, why);
  if (form.grouping === 'indian') add('number.grouping', form.grouping, why);
  add('number.negative', form.negative, why);
  add('number.currencySign', form.currencySign, why);
  const isMinor = amounts.some((one) => one !== undefined && isInMinorUnits(String(one.value)));
  if (isMinor) add('number.unit', 'minor', 'the header says so');
  else
    add(
      'number.unit',
      'major',
      hasDecimals(cells, form) ? 'amounts have decimals' : 'no amount has decimals: minor if 1050 stands for 10.50',
    );
  for (const role of ['fee', 'tax', 'duty', 'gross'] as const) add(role, roles[role]?.value, roles[role]?.why ?? null);
  if (isNetChecked(table, roles)) add('net', roles.net?.value, roles.net?.why ?? null);
}

/**
 * Net is held against gross less charges, else against the amount: a column held against itself could never differ, and one that
 * is another amount in the file always does.
 */
function isNetChecked(table: FoundTable, { gross, debit, credit, signed, net }: Roles): boolean {
  if (gross !== undefined || (debit !== undefined && credit !== undefined)) return true;
  return signed !== undefined && net !== undefined && isNetOf(table, {}, signed, net);
}
