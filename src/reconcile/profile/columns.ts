import { settingAt } from '../settings-file/schema-problems.ts';

// The places of a profile in which a column is named. Pure, and tolerant: it also walks a profile that is not checked yet.

/** A column by the text of its header, or by its number from 1. */
export type ColumnRef = string | number;
export type CellRef = { readonly row: number; readonly column: ColumnRef };

export interface ColumnPlace {
  readonly path: readonly string[];
  readonly column: unknown;
}

const TOP = ['fee', 'tax', 'duty', 'gross', 'net'];
const NESTED = [
  ['amount', 'signed'],
  ['amount', 'unsigned'],
  ['amount', 'debitCredit', 'debit'],
  ['amount', 'debitCredit', 'credit'],
  ['amount', 'sign', 'column'],
  ['balance', 'running'],
  ['balance', 'opening', 'column'],
  ['balance', 'closing', 'column'],
  ['controls', 'rows', 'column'],
  ['controls', 'sum', 'column'],
  ['covers', 'from', 'column'],
  ['covers', 'to', 'column'],
];

/** Returns every column that a profile names, with its path. */
export function columnPlaces(profile: object): ColumnPlace[] {
  const named = Object.keys(Object(settingAt(profile, ['columns']))).map((name) => ['columns', name]);
  return [...named, ...NESTED, ...TOP.map((name) => [name])]
    .map((path) => ({ path, column: settingAt(profile, path) }))
    .filter(({ column }) => column !== undefined);
}

/** Whether the place is a cell outside the table, whose row may be longer than the table. */
export function isOutside({ path }: ColumnPlace): boolean {
  return path[0] !== 'amount' && path.length === 3 && path.at(-1) === 'column';
}
