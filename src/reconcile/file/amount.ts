import type { Profile } from '../profile/load.ts';
import { type Cell, cellText, type Row } from './cell.ts';
import type { Column, Columns } from './columns.ts';
import type { ReadNumber } from './number.ts';
import { NO_LINE_ADVICE } from './problem.ts';

/** Says why a row has no amount; returns null. */
export type Say = (column: Column | null, cell: Cell | undefined, reason: string) => null;

/** Returns the reader of what moves the balance, in the form that the profile declares; null: the row has none, as `say` was told. */
export function amountReader(form: Profile['amount'], columns: Columns, number: (cell: Cell) => ReadNumber) {
  const read: ReadCell = (row, column, say) => {
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
  if (form.debitCredit !== undefined) return debitCreditReader(form.debitCredit, columns, read);
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

/** Null: the cell is empty. */
type ReadCell = (row: Row, column: Column, say: Say) => bigint | null | 'wrong';
type DebitCredit = NonNullable<Profile['amount']['debitCredit']>;

function debitCreditReader({ negative, ...form }: DebitCredit, columns: Columns, read: ReadCell) {
  const [debit, credit] = [columns.of(form.debit), columns.of(form.credit)];
  return (row: Row, say: Say): bigint | null => {
    const [out, into] = [read(row, debit, say), read(row, credit, say)];
    if (out === 'wrong' || into === 'wrong') return null;
    if (out === null && into === null)
      return say(credit, '', `is empty, and so is ${debit.name}: one of them must have the amount`);
    if (out && into)
      return say(
        credit,
        row[credit.index],
        `is filled, and so is ${debit.name}: one row moves money in one direction. Mend the row`,
      );
    const [paid, got] = [out ?? 0n, into ?? 0n];
    if (negative === undefined && paid < 0n) return say(debit, row[debit.index], MINUS);
    if (negative !== 'reversal' && got < 0n) return say(credit, row[credit.index], MINUS);
    if (negative === 'debit' && paid > 0n) return say(debit, row[debit.index], NO_MINUS);
    return negative === 'debit' ? got + paid : got - paid;
  };
}

const MINUS =
  'is negative: in the profile set amount.debitCredit.negative to debit, where each amount out is written with a minus, or to reversal, where a minus takes a debit or credit back. The running balance shows which';
const NO_MINUS =
  'has no minus, and by amount.debitCredit.negative: debit each amount out has one: if it brought money, move it to the other column; else mend the cell';
const EMPTY = `is empty, and every line has an amount: ${NO_LINE_ADVICE}`;
const NEGATIVE = 'is negative, and this column has no sign of its own: use amount.signed, or mend the cell';
