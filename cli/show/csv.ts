import { stringify } from 'csv-stringify/sync';
import { type Amount, formatAmount } from '../../src/domain/money/amount.ts';
import { time } from './text.ts';

/**
 * What a spreadsheet runs: a cell that begins with one of these characters. Where a spreadsheet splits at semicolons, tabs or
 * bars instead of commas, each of them, and each line end, begins a cell within our quotes.
 */
const FORMULA = /(^|[;|\t\r\n])(["\s]*)([=+\-@＝＋－＠])/g;
const ODD_START = /^[\t\r\n]/;

/** A cell; a text is quoted, a number is not. */
export type Cell = string | number | Decimal | null;

/** An exact amount: a number in the file, which a JavaScript number could not hold. */
interface Decimal extends Record<string, unknown> {
  readonly digits: string;
}

/** A time with its offset. */
export function timeCell(instant: string | number | null): Cell {
  return instant === null ? null : time(instant);
}

/** The columns of a CSV by their names, in their order. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/** A list as CSV: its first line, and those of some rows. */
export interface CsvForm<Row> {
  readonly header: string;
  readonly lines: (rows: readonly Row[]) => string;
}

export function csvForm<Row>(columns: CsvColumns<Row>): CsvForm<Row> {
  return {
    header: csvLines([Object.keys(columns)]),
    lines: (rows) => csvLines(rows.map((row) => Object.values(columns).map((value) => value(row)))),
  };
}

/** An amount with all its digits. */
export function amountCell(amount: Amount | null): Cell {
  return amount === null ? null : { digits: formatAmount(amount) };
}

/**
 * RFC 4180 lines; every text is quoted. A text that a spreadsheet would run gets an apostrophe there, as OWASP advises; a
 * number is none.
 */
export function csvLines(rows: readonly (readonly Cell[])[]): string {
  const cast = { string: harmless, object: ({ digits }: Record<string, unknown>) => unquoted(String(digits)) };
  return stringify([...rows], { quoted_string: true, cast });
}

function unquoted(value: string) {
  return { value, quoted_string: false };
}

function harmless(text: string): string {
  const marked = text.replace(FORMULA, "$1$2'$3");
  return ODD_START.test(marked) ? `'${marked}` : marked;
}
