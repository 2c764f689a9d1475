import type { LineType } from '../../domain/statement.ts';

// Words of headers and types that exports use, and what they usually mean. They serve a proposal only: a person confirms it.

/** Columns in the order in which they are looked for: the more exact words come first. */
export const HEADER_WORDS = {
  valueDate:
    /^date (de )?valeur$|^valuta(datum)?$|^fecha valor$|^data valor$|^value ?date$|^date ?value$|^effective ?date$|^booking value$/,
  date: /^(transaction |trans |posting |posted |booking |entry |created |tran )?(date|day)( ?time)?$|^date (posted|created)$|^created ?at$|^(buchungs(tag|datum)|datum|fecha|data|date (d )?(op[eé]ration|comptable))$/,
  time: /^(transaction )?time$/,
  sessionId: /session/,
  transactionReference: /^(transaction|trans|txn|gateway|provider|service|payment) ?(ref(erence)?|id|no|number)$/,
  group: /batch|settlement (id|ref(erence)?|no)|payout id/,
  reference:
    /ref(erence)?( ?(no|number|id))?$|^(merchant|order|your|customer) ?(ref(erence)?|id|no)$|^(order|order id|invoice|id)$|^(r[eé]f[eé]rence|referenz|referencia|refer[eê]ncia)$/,
  debit: /^(debits?|withdrawals?|money out|paid out|out|dr|soll|d[eé]bito?|sortie|cargo|debit amount|amount out)$/,
  credit:
    /^(credits?|deposits?|lodge?ments?|money in|paid in|in|cr|haben|cr[eé]dito?|entr[eé]e|abono|credit amount|amount in)$/,
  sign: /^(dr ?cr|cr ?dr|[dc] ?[cd]|s ?h|(debit ?credit|credit ?debit|soll haben|d[eé]bit cr[eé]dit)( (indicator|kennzeichen|kz))?|s h (kennzeichen|kz)|direction|sign|side|indicator|sens|signe|vorzeichen)$/,
  balance: /balance|saldo|solde/,
  fee: /^(fees?|frais|geb[uü]hr(en)?|comisi[oó]n|tarifa|charges?|commission|service (fee|charge)|processing fee)( amount)?$/,
  tax: /^(vat|tva|mwst|ust|iva|tax|vat on fee|tax on fee)( amount)?$/,
  duty: /duty|levy/,
  gross: /^gross( amount)?$|^(montant brut|brutto(betrag)?|bruto)$/,
  net: /^net( amount)?$|^(montant net|netto(betrag)?|neto|l[ií]quido)$|^net settlement$/,
  currency: /^(currency|devise|w[aä]hrung|moneda|moeda|ccy|curr|currency code)$/,
  type: /^(type|type (d )?op[eé]ration|nature|vorgang|buchungsart|tipo( de operaci[oó]n)?|transaction type|trans type|txn type|category|kind|entry type|operation|event)$/,
  counterparty:
    /b[eé]n[eé]ficiaire|empf[aä]nger|beneficiario|beneficiary|counter ?party|customer name|payee|payer|sender|recipient/,
  text: /libell[eé]|verwendungszweck|concepto|descri[cçp]|narration|description|details|remarks?|memo|text|particulars|note/,
  signed: /^(amount|value|sum|total|betrag|umsatz|montant|importe|valor|amt|transaction amount)( in)?( [a-z]{3})?$/,
} as const;
export type ColumnRole = keyof typeof HEADER_WORDS;

/** Returns a header as the words are compared: lower case, one blank for each run of other signs. */
export function headerWord(header: string): string {
  const words = header.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/** What the words of a type column usually mean; the more exact ones come first. */
const TYPE_WORDS: readonly (readonly [RegExp, LineType])[] = [
  [/charge ?back.*(revers|won)|won.*charge ?back/, 'chargeback_reversal'],
  [/charge ?back|dispute/, 'chargeback'],
  [/payout.*revers|revers.*payout|transfer.*revers/, 'payout_reversal'],
  [/(collection|payment|charge).*revers|revers.*(collection|payment)/, 'collection_reversal'],
  [/top ?up|funding|deposit/, 'top_up'],
  [/refund|^rfn?d$/, 'refund'],
  [/release/, 'release'],
  [/reserv|hold/, 'reserve'],
  [/stamp|duty|levy/, 'duty'],
  [/vat|tax/, 'tax'],
  [/fee|commission|charges?$/, 'fee'],
  [/settle/, 'settlement'],
  [/payout|disburse|withdraw/, 'payout'],
  [/conversion|exchange|fx/, 'conversion'],
  [/adjust|correction/, 'adjustment'],
  [/transfer/, 'transfer'],
  [/collection|payment|charge|sale|pay$|credit/, 'collection'],
];

export function typeOfWord(word: string): LineType {
  const compared = headerWord(word);
  return TYPE_WORDS.find(([pattern]) => pattern.test(compared))?.[1] ?? 'other';
}

export const DEBIT_WORDS = /^(d|dr|db|d[eé]bito?|out|s|soll|-|withdrawal|outgoing)$/i;
export const CREDIT_WORDS = /^(c|cr|cr[eé]dito?|in|h|haben|\+|deposit|incoming)$/i;

/** The two words of a language for money out and money in. */
const DIRECTIONS: readonly (readonly [debit: string, credit: string])[] = [
  ['S', 'H'],
  ['Soll', 'Haben'],
  ['D', 'C'],
  ['Debit', 'Credit'],
];

/** Returns the words of money out and in; of a file that has only one of the two, the other as that language writes it. */
export function directionsOf(words: readonly string[]): { readonly debit: string[]; readonly credit: string[] } {
  const debit = words.filter((word) => DEBIT_WORDS.test(word));
  const credit = words.filter((word) => !DEBIT_WORDS.test(word));
  const [out = 'DR', into = 'CR'] = DIRECTIONS.find((pair) => pair.some((word) => words.includes(word))) ?? [];
  return { debit: debit.length === 0 ? [out] : debit, credit: credit.length === 0 ? [into] : credit };
}
