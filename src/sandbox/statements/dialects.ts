import type { Dialect } from './dialect.ts';
import { ACCENTED_WORDS, CODE_WORDS, OWN_WORDS, SENTENCE_WORDS } from './type-words.ts';

const CSV = {
  format: 'csv',
  encoding: 'utf-8',
  byteOrderMark: false,
  delimiter: ',',
  lineEnd: '\n',
  quoted: false,
} as const;
const PLAIN_NUMBER = { decimal: '.', group: '', unit: 'major', negative: 'minus' } as const;

const plain = {
  name: 'plain',
  file: CSV,
  header: true,
  columns: {
    date: 'Date',
    time: 'Time',
    valueDate: 'Collected',
    type: 'Type',
    reference: 'Reference',
    transactionReference: 'Transaction',
    sessionId: 'Session',
    group: 'Batch',
    counterparty: 'Counterparty',
    text: 'Text',
    currency: 'Currency',
    gross: 'Gross',
    fee: 'Fee',
    tax: 'Tax',
    amount: 'Amount',
    balance: 'Balance',
  },
  number: PLAIN_NUMBER,
  date: 'yyyy-MM-dd',
  types: OWN_WORDS,
  above: [],
  below: [],
} as const satisfies Dialect;

const debitCredit = {
  name: 'debit-credit',
  file: { ...CSV, byteOrderMark: true, delimiter: ';', lineEnd: '\r\n' },
  header: true,
  columns: {
    date: 'Booking date',
    valueDate: 'Value date',
    text: 'Details',
    type: 'Transaction type',
    reference: 'Reference no.',
    transactionReference: 'Original reference',
    sessionId: 'Session id',
    group: 'Settlement no.',
    gross: 'Gross amount',
    fee: 'Charge',
    tax: 'VAT',
    debit: 'Debit',
    credit: 'Credit',
    balance: 'Balance',
  },
  number: { decimal: ',', group: '.', unit: 'major', negative: 'minus' },
  date: 'dd/MM/yyyy',
  types: SENTENCE_WORDS,
  above: [],
  below: [
    { label: 'Opening balance', fact: 'opening' },
    { label: 'Closing balance', fact: 'closing' },
  ],
} as const satisfies Dialect;

const minor = {
  name: 'minor',
  file: { ...CSV, delimiter: '|' },
  header: true,
  columns: {
    date: 'DATE',
    type: 'TYPE',
    reference: 'REFERENCE',
    transactionReference: 'TRANSACTION',
    sessionId: 'SESSION',
    group: 'BATCH',
    currency: 'CURRENCY',
    gross: 'GROSS',
    fee: 'FEE',
    tax: 'TAX',
    unsigned: 'AMOUNT',
    sign: 'DC',
    balance: 'BALANCE',
  },
  sign: { debit: 'D', credit: 'C' },
  number: { ...PLAIN_NUMBER, unit: 'minor' },
  date: 'yyyyMMdd',
  types: CODE_WORDS,
  above: [],
  below: [{ label: 'ROWS', fact: 'rows' }],
} as const satisfies Dialect;

const parentheses = {
  name: 'parentheses',
  file: { ...CSV, lineEnd: '\r\n', quoted: true },
  header: true,
  columns: {
    date: 'Transaction Date',
    valueDate: 'Value Date',
    type: 'Transaction Type',
    text: 'Narrative',
    reference: 'Reference',
    transactionReference: 'Related Reference',
    sessionId: 'Session ID',
    group: 'Batch Number',
    gross: 'Gross',
    fee: 'Charges',
    tax: 'VAT',
    amount: 'Amount',
    balance: 'Running Balance',
  },
  number: { decimal: '.', group: ',', unit: 'major', negative: 'parentheses' },
  date: 'dd-MMM-yyyy',
  types: SENTENCE_WORDS,
  above: [
    { label: 'ACCOUNT STATEMENT', fact: null },
    { label: 'Account', fact: 'account' },
    { label: 'From', fact: 'from' },
    { label: 'To', fact: 'to' },
    { label: 'Opening Balance', fact: 'opening' },
  ],
  below: [
    { label: 'Number of Lines', fact: 'rows' },
    { label: 'Total', fact: 'sum' },
    { label: 'Closing Balance', fact: 'closing' },
  ],
} as const satisfies Dialect;

const ACCENTED_COLUMNS = {
  date: 'Date opération',
  valueDate: 'Date de valeur',
  type: 'Opération',
  reference: 'Référence',
  transactionReference: 'Référence d’origine',
  sessionId: 'Numéro de session',
  group: 'Numéro de règlement',
  counterparty: 'Bénéficiaire',
  text: 'Libellé',
  gross: 'Montant brut',
  fee: 'Frais prélevés',
  tax: 'Taxe',
  amount: 'Montant débité/crédité',
  balance: 'Solde après opération',
} as const;

const windows = {
  name: 'windows',
  file: { ...CSV, encoding: 'windows-1252', delimiter: '\t', lineEnd: '\r\n' },
  header: true,
  columns: ACCENTED_COLUMNS,
  number: { decimal: ',', group: '\u00a0', unit: 'major', negative: 'trailing' },
  date: 'dd/MM/yyyy',
  types: ACCENTED_WORDS,
  above: [
    { label: 'Relevé – début', fact: 'from' },
    { label: 'Relevé – fin', fact: 'to' },
  ],
  below: [{ label: 'Solde final', fact: 'closing' }],
} as const satisfies Dialect;

const unicode = {
  name: 'unicode',
  file: { ...CSV, encoding: 'utf-16le', byteOrderMark: true, delimiter: '\t', lineEnd: '\r\n' },
  header: true,
  columns: { ...ACCENTED_COLUMNS, time: 'Heure' },
  number: { decimal: '.', group: "'", unit: 'major', negative: 'minus' },
  date: 'MM/dd/yyyy',
  types: ACCENTED_WORDS,
  above: [],
  below: [{ label: 'Total', fact: 'sum' }],
} as const satisfies Dialect;

const noHeader = {
  name: 'no-header',
  file: CSV,
  header: false,
  columns: {
    reference: '',
    date: '',
    amount: '',
    balance: '',
    type: '',
    transactionReference: '',
    sessionId: '',
    group: '',
    gross: '',
    fee: '',
    tax: '',
    text: '',
  },
  number: PLAIN_NUMBER,
  date: 'dd.MM.yyyy',
  types: CODE_WORDS,
  above: [],
  below: [],
} as const satisfies Dialect;

const spreadsheet = {
  name: 'spreadsheet',
  file: { format: 'xlsx', sheet: 'Statement' },
  header: true,
  columns: { ...parentheses.columns, counterparty: 'Counterparty' },
  number: PLAIN_NUMBER,
  date: 'yyyy-MM-dd',
  types: SENTENCE_WORDS,
  above: parentheses.above,
  below: parentheses.below,
} as const satisfies Dialect;

/** The dialects in the order of docs/sandbox-statements.md. */
export const DIALECTS = [plain, debitCredit, minor, parentheses, windows, unicode, noHeader, spreadsheet] as const;
export const DIALECT_NAMES = DIALECTS.map(({ name }) => name);
export type DialectName = (typeof DIALECT_NAMES)[number];

export function dialectNamed(name: DialectName): Dialect {
  const found = DIALECTS.find((dialect) => dialect.name === name);
  if (!found) throw new Error(`no dialect ${name}`);
  return found;
}
