import type { LineType } from '../../../src/domain/statements/lines.ts';
import { numberOf } from './days.ts';
import { moneyText } from './money.ts';

/** What stands outside the table, each in a row of its own. */
export type Outside = 'title' | 'covers' | 'opening' | 'closing' | 'rows' | 'sum';

/** How a file is written. None of this knows how the product reads. */
export interface Dialect {
  readonly name: string;
  readonly format: 'csv' | 'xlsx';
  readonly encoding: 'utf-8' | 'utf-16le' | 'windows-1252';
  readonly delimiter: string;
  readonly hasHeader: boolean;
  readonly above: readonly Outside[];
  readonly below: readonly Outside[];
  readonly dateFormat: string;
  readonly date: (day: string) => string;
  readonly amount: 'signed' | 'debitCredit' | 'unsigned';
  readonly money: (minor: bigint) => string;
  readonly number: { decimal?: string; group?: string; unit?: string; negative?: string };
  /** Fee, tax and duty: columns of their own, rows of their own, or not said. */
  readonly charges: 'columns' | 'rows' | 'none';
  readonly hasGrossAndNet: boolean;
  readonly hasRunning: boolean;
  readonly newestFirst: boolean;
  readonly words: Readonly<Record<LineType, string>>;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const [iso, european, compact, british, american] = [
  (day: string) => day,
  (day: string) => day.split('-').toReversed().join('.'),
  (day: string) => day.replaceAll('-', ''),
  (day: string) => day.split('-').toReversed().join('/'),
  (day: string) => `${MONTHS[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))}, ${day.slice(0, 4)}`,
];
/** A spreadsheet counts days from the end of 1899. */
export const serialOf = (day: string): string => String(numberOf(day) + 46_295);

const grouped = (separator: string) => (minor: bigint) =>
  moneyText(minor).replace(/\d(?=(\d{3})+\.)/g, (digit) => digit + separator);
const comma = (minor: bigint) => grouped('\u0000')(minor).replace('.', ',').replaceAll('\u0000', '.');
const parentheses = (minor: bigint) => (minor < 0n ? `(${grouped(',')(-minor)})` : grouped(',')(minor));
const trailing = (minor: bigint) => (minor < 0n ? `${grouped(' ')(-minor)}-` : grouped(' ')(minor));

const WORDS: Dialect['words'] = {
  ...{ collection: 'Collection', refund: 'Refund', collection_reversal: 'Collection reversal', reserve: 'Reserve' },
  refund_reversal: 'Refund returned',
  ...{ release: 'Release', payout: 'Payout', payout_reversal: 'Payout reversal', fee: 'Fee', tax: 'VAT' },
  ...{ duty: 'Stamp duty', chargeback: 'Chargeback', chargeback_reversal: 'Chargeback won', settlement: 'Settlement' },
  ...{ top_up: 'Top-up', transfer: 'Transfer', conversion: 'Conversion', adjustment: 'Adjustment', other: 'Other' },
};
const OWN_WORDS: Dialect['words'] = {
  ...{ collection: 'Vente', refund: 'Remboursé', collection_reversal: 'Vente annulée', reserve: 'Réservé' },
  refund_reversal: 'Remboursement retourné',
  ...{ release: 'Libéré', payout: 'Virement, sortant', payout_reversal: 'Virement retourné', fee: 'Frais', tax: 'TVA' },
  ...{ duty: 'Timbre', chargeback: 'Litige', chargeback_reversal: 'Litige gagné', settlement: 'Règlement' },
  ...{ top_up: 'Dépôt', transfer: 'Transfert', conversion: 'Change', adjustment: 'Écart', other: 'Divers' },
};

const PLAIN: Dialect = {
  ...{ name: 'plain', format: 'csv', encoding: 'utf-8', delimiter: ',', hasHeader: true, above: [], below: [] },
  ...{ dateFormat: 'yyyy-MM-dd', date: iso, amount: 'signed', money: moneyText, number: {}, charges: 'columns' },
  ...{ hasGrossAndNet: false, hasRunning: true, newestFirst: false, words: WORDS },
};
const still = { ...PLAIN, hasRunning: false };

export const DIALECTS = {
  plain: PLAIN,
  decimalComma: {
    ...{ ...PLAIN, name: 'decimal-comma', encoding: 'windows-1252', delimiter: ';', amount: 'debitCredit' },
    ...{ dateFormat: 'dd.MM.yyyy', date: european, money: comma, number: { decimal: ',', group: '.' } },
    words: OWN_WORDS,
  },
  feeRows: { ...PLAIN, name: 'fee-rows', charges: 'rows', amount: 'debitCredit' },
  minorUnits: {
    ...{ ...still, name: 'minor-units', delimiter: '|', amount: 'unsigned', above: ['opening'] },
    ...{ dateFormat: "yyyy-MM-dd'T'HH:mm:ssXXX", date: (day: string) => `${day}T12:00:00+01:00` },
    ...{ money: String, number: { unit: 'minor' } },
  },
  parentheses: {
    ...{ ...still, name: 'parentheses', above: ['title', 'covers', 'opening'], below: ['rows', 'closing'] },
    ...{ dateFormat: 'MMM d, yyyy', date: american, money: parentheses },
    number: { group: ',', negative: 'parentheses' },
  },
  utf16Tab: {
    ...{ ...still, name: 'utf16-tab', encoding: 'utf-16le', delimiter: '\t', above: ['opening'], below: ['closing'] },
    ...{ dateFormat: 'dd/MM/yyyy', date: british, money: trailing, number: { group: ' ', negative: 'trailing' } },
    words: OWN_WORDS,
  },
  spreadsheet: { ...still, name: 'spreadsheet', format: 'xlsx', above: ['covers', 'opening'], below: ['closing'] },
  grossAndNet: {
    ...{ ...still, name: 'gross-and-net', hasHeader: false, hasGrossAndNet: true },
    ...{ dateFormat: 'yyyyMMdd', date: compact },
  },
  newestFirst: { ...PLAIN, name: 'newest-first', newestFirst: true, amount: 'debitCredit', above: ['title', 'title'] },
  ownWords: { ...still, name: 'own-words', delimiter: ';', words: OWN_WORDS, above: ['covers'] },
  netOnly: { ...still, name: 'net-only', charges: 'none', above: ['opening'], below: ['closing'], amount: 'unsigned' },
  sums: { ...still, name: 'sums', below: ['sum'], above: ['covers'] },
} as const satisfies Record<string, Dialect>;
