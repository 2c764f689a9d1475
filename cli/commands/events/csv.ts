import { stringify } from 'csv-stringify/sync';

/** A spreadsheet runs a cell that begins with one of these characters. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** RFC 4180 lines. A text that a spreadsheet would run gets a leading apostrophe, as OWASP advises; a number is none. */
export function csvLines(rows: readonly (readonly (string | number | null)[])[]): string {
  return stringify([...rows], { cast: { string: (text) => (FORMULA.test(text) ? `'${text}` : text) } });
}
