import type { EntryType } from '../world/state.ts';
import type { StatementKind } from './statement.ts';

// A dialect is the shape of a file: its encoding, its columns and their names, and how it writes days and amounts.

/** What a column may hold. `amount` is signed; `unsigned` goes with `sign`, and `debit` with `credit`. */
export type Field =
  | 'date'
  | 'time'
  | 'valueDate'
  | 'type'
  | 'reference'
  | 'transactionReference'
  | 'sessionId'
  | 'group'
  | 'counterparty'
  | 'text'
  | 'currency'
  | 'gross'
  | 'fee'
  | 'tax'
  | 'amount'
  | 'debit'
  | 'credit'
  | 'unsigned'
  | 'sign'
  | 'balance';

/** What a row outside the table says, beside its label. */
export type Fact = 'account' | 'from' | 'to' | 'opening' | 'closing' | 'rows' | 'sum';

export interface Outside {
  readonly label: string;
  readonly fact: Fact | null;
}

export interface NumberForm {
  readonly decimal: '.' | ',';
  /** Between groups of three digits; empty for none. */
  readonly group: '' | ',' | '.' | ' ' | '\u00a0' | "'";
  readonly unit: 'major' | 'minor';
  readonly negative: 'minus' | 'parentheses' | 'trailing';
}

export type DateForm = 'yyyy-MM-dd' | 'yyyyMMdd' | 'dd/MM/yyyy' | 'dd.MM.yyyy' | 'dd-MMM-yyyy' | 'MM/dd/yyyy';

export type FileForm =
  | { readonly format: 'xlsx'; readonly sheet: string }
  | {
      readonly format: 'csv';
      readonly encoding: 'utf-8' | 'utf-16le' | 'windows-1252';
      readonly byteOrderMark: boolean;
      readonly delimiter: ',' | ';' | '\t' | '|';
      readonly lineEnd: '\n' | '\r\n';
      /** Every cell in quotes; else only where one is needed. */
      readonly quoted: boolean;
    };

export interface Dialect {
  readonly name: string;
  readonly file: FileForm;
  readonly header: boolean;
  /** The columns in their order; one that a kind has no use for is left out of its files. */
  readonly columns: Readonly<Partial<Record<Field, string>>>;
  /** The words of its sign column. */
  readonly sign?: { readonly debit: string; readonly credit: string };
  readonly number: NumberForm;
  readonly date: DateForm;
  readonly types: Readonly<Record<EntryType, string>>;
  readonly above: readonly Outside[];
  readonly below: readonly Outside[];
}

/** How a dialect writes days and amounts. */
export type Forms = Pick<Dialect, 'number' | 'date'>;

/** Forms in which no day and no amount can be read as one of this dialect. */
export function otherForms({ number, date }: Forms): Forms {
  return {
    date: date === 'dd.MM.yyyy' ? 'yyyy-MM-dd' : 'dd.MM.yyyy',
    number: { ...FOREIGN_NUMBER, ...(number.decimal === ',' ? { decimal: '.', group: ',' } : {}) },
  };
}

const FOREIGN_NUMBER: NumberForm = { decimal: ',', group: '.', unit: 'major', negative: 'minus' };

const MOVEMENT_ONLY: readonly Field[] = ['balance', 'sessionId', 'counterparty'];
const SETTLEMENT_ONLY: readonly Field[] = ['valueDate', 'group', 'gross', 'fee', 'tax'];
const NO_BANK: readonly Field[] = ['sessionId', 'counterparty', 'transactionReference'];

/** The columns of a dialect's file of this kind, in their order. */
export function columnsOf({ columns }: Dialect, kind: StatementKind): { field: Field; header: string }[] {
  const left =
    kind === 'settlement' ? MOVEMENT_ONLY : kind === 'bank' ? [...SETTLEMENT_ONLY, ...NO_BANK] : SETTLEMENT_ONLY;
  return (Object.entries(columns) as [Field, string][])
    .filter(([field]) => !left.includes(field))
    .map(([field, header]) => ({ field, header }));
}

/** The rows above or below the table of this kind: a settlement file has no balances. */
export function outsideOf(rows: readonly Outside[], kind: StatementKind): readonly Outside[] {
  return kind === 'settlement' ? rows.filter(({ fact }) => fact !== 'opening' && fact !== 'closing') : rows;
}
