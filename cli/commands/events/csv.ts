import { stringify } from 'csv-stringify/sync';

/**
 * What a spreadsheet runs: a cell that begins with one of these characters. Where a spreadsheet splits at semicolons, tabs or
 * bars instead of commas, each of them, and each line end, begins a cell within our quotes.
 */
const FORMULA = /(^|[;|\t\r\n])(["\s]*)([=+\-@＝＋－＠])/g;
const ODD_START = /^[\t\r\n]/;

/**
 * RFC 4180 lines; every text is quoted. A text that a spreadsheet would run gets an apostrophe there, as OWASP advises; a
 * number is none.
 */
export function csvLines(rows: readonly (readonly (string | number | null)[])[]): string {
  return stringify([...rows], { quoted_string: true, cast: { string: harmless } });
}

function harmless(text: string): string {
  const marked = text.replace(FORMULA, "$1$2'$3");
  return ODD_START.test(marked) ? `'${marked}` : marked;
}
