/*
 * Cells of the spreadsheets and CSV files that people open: exceptions, claims, reports. A text keeps its text: an id is never a
 * number, and no text becomes a formula.
 */

export type SheetCell =
  | null
  | { readonly kind: 'text'; readonly text: string }
  /** Exact decimal text, `-1234.50`. */
  | { readonly kind: 'amount'; readonly text: string }
  | { readonly kind: 'whole'; readonly value: number }
  /** `yyyy-MM-dd` */
  | { readonly kind: 'day'; readonly day: string };

export function textCell(text: string | null): SheetCell {
  return text === null ? null : { kind: 'text', text };
}

export function amountCell(amount: string | null): SheetCell {
  return amount === null ? null : { kind: 'amount', text: amount };
}

export function wholeCell(value: number): SheetCell {
  return { kind: 'whole', value };
}

export function dayCell(day: string | null): SheetCell {
  return day === null ? null : { kind: 'day', day };
}

/** A cell of a value that is money in some rows and a word in others: a status, a currency, an account number. */
export function valueCell(value: string | null): SheetCell {
  return value !== null && MONEY.test(value) ? amountCell(value) : textCell(value);
}

/** Amounts are kept with their decimals and without leading zeros: an account number has no point. */
const MONEY = /^-?(?:0|[1-9]\d{0,17})\.\d{2,8}$/;

/**
 * Where a spreadsheet begins a formula: at the start of a cell. Where it splits a line at semicolons, tabs or bars instead of
 * commas, a cell begins behind each of them and behind each line end, also within our quotes.
 */
const FORMULA = /(^|[;|\t\r\n])(["\s]*)('*)(?=[=+\-@＝＋－＠])/g;
const MARKED_FORMULA = /(^|[;|\t\r\n])(["\s]*)'('*)(?=[=+\-@＝＋－＠])/g;
const ODD_START = /^'*[\t\r\n\0]/;
const MARKED_ODD_START = /^'('*[\t\r\n\0])/;

/**
 * Returns a text as a cell shows it: what a spreadsheet would run gets an apostrophe before it. A text that has apostrophes there
 * already gets one more, so that `plainText` returns exactly the text that was given.
 */
export function safeText(text: string): string {
  const marked = text.replace(FORMULA, "$1$2'$3");
  return ODD_START.test(marked) ? `'${marked}` : marked;
}

/** Returns the text of a cell that `safeText` made: its apostrophes are taken off again. */
export function plainText(cell: string): string {
  return cell.replace(MARKED_ODD_START, '$1').replace(MARKED_FORMULA, '$1$2$3');
}
