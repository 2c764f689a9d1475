import { stringify } from 'csv-stringify/sync';

export interface CsvColumn<Row> {
  readonly name: string;
  readonly value: (row: Row) => string | number | null;
  /** Text from outside may be a formula; our own numbers and times are none. */
  readonly fromOutside: boolean;
}

/** A spreadsheet runs a cell that begins with one of these characters. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** RFC 4180 lines. Text from outside that a spreadsheet would run gets a leading apostrophe, as OWASP advises. */
export function csvLines<Row>(rows: readonly Row[], columns: readonly CsvColumn<Row>[]): string {
  return stringify(rows.map((row) => columns.map((column) => cell(column, row))));
}

export function csvHeader<Row>(columns: readonly CsvColumn<Row>[]): string {
  return stringify([columns.map(({ name }) => name)]);
}

function cell<Row>({ value, fromOutside }: CsvColumn<Row>, row: Row): string {
  const text = String(value(row) ?? '');
  return fromOutside && FORMULA.test(text) ? `'${text}` : text;
}
