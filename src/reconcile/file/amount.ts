import type { Profile } from '../profile/load.ts';
import { type Cell, cellText, type Row } from './cell.ts';
import type { Column, Columns } from './columns.ts';
import type { ReadNumber } from './number.ts';
import { NO_LINE_ADVICE } from './problem.ts';

/** Says why a row has no amount; returns null. */
export type Say = (column: Column | null, cell: Cell | undefined, reason: string) => null;

/** Returns the reader of what moves the balance, in the form that the profile declares; null: the row has none, as `say` was told. */
export function amountReader(form: Profile['amount'], columns: Columns, number: (cell: Cell) => ReadNumber) {
  const read = (row: Row, column: Column, say: Say): bigint | null | 'wrong' => {
    const value = number(row[column.index] ?? '');
    if (typeof value !== 'string') return value;
    say(column, row[column.index], value);
    return 'wrong';
  };
  if (form.signed !== undefined) {
    const signed = columns.of(form.signed);
    return (row: Row, say: Say): bigint | null => {
      const value = read(row, signed, say);
      return value === null ? say(signed, '', EMPTY) : value === 'wrong' ? null : value;
    };
  }
  if (form.debitCredit !== undefined) {
    const [debit, credit] = [columns.of(form.debitCredit.debit), columns.of(form.debitCredit.credit)];
    return (row: Row, say: Say): bigint | null => {
      const [out, into] = [read(row, debit, say), read(row, credit, say)];
      if (out === 'wrong' || into === 'wrong') return null;
      if (out === null && into === null)
        return say(credit, '', `is empty, and so is ${debit.name}: one of them must have the amount`);
      if (out !== null && out < 0n) return say(debit, row[debit.index], NEGATIVE);
      if (into !== null && into < 0n) return say(credit, row[credit.index], NEGATIVE);
      if (out && into)
        return say(
          credit,
          row[credit.index],
          `is filled, and so is ${debit.name}: one row moves money in one direction. Mend the row`,
        );
      return (into ?? 0n) - (out ?? 0n);
    };
  }
  const unsigned = columns.of(form.unsigned ?? 1);
  const sign = columns.of(form.sign?.column ?? 1);
  const [debits, credits] = [new Set(form.sign?.debit), new Set(form.sign?.credit)];
  return (row: Row, say: Say): bigint | null => {
    const value = read(row, unsigned, say);
    if (value === 'wrong') return null;
    if (value === null) return say(unsigned, '', EMPTY);
    if (value < 0n) return say(unsigned, row[unsigned.index], NEGATIVE);
    const word = cellText(row[sign.index]);
    if (credits.has(word)) return value;
    if (debits.has(word)) return -value;
    return say(sign, row[sign.index], 'says neither debit nor credit: add the word to amount.sign in the profile');
  };
}

const EMPTY = `is empty, and every line has an amount: ${NO_LINE_ADVICE}`;
const NEGATIVE = 'is negative, and this column has no sign of its own: use amount.signed, or mend the cell';
