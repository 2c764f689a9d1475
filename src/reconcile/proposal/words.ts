import type { LineType } from '../../domain/statements/lines.ts';
import { cellText, type Row } from '../file/cell.ts';
import { CODES } from './currency-codes.ts';
import { foldedWord } from './fold.ts';

/*
 * Words that exports have in English and French: of headers, of directions, of balances, of days and of types. All but those of
 * directions are compared in lower case and without accents. They serve a proposal only: a person confirms it.
 */

const any = (...words: string[]) => new RegExp(`^(${words.join('|')})$`);

/** Headers of columns, in the order in which they are looked for: the more exact words come first. */
export const HEADER_WORDS = {
  valueDate: any('value ?(date|dt)|date ?value|effective ?date|booking value|date (de )?valeur'),
  date: any(
    '(transaction |trans |posting |posted |booking |entry |created |tran )?(date|day)( ?time)?|date (posted|created)|created ?at',
    'date (d )?operation|date comptable',
  ),
  time: any('(transaction )?time|heure'),
  sessionId: /session|seance/,
  transactionReference: any(
    '(transaction|trans|txn|gateway|provider|service|payment) ?(ref(erence)?|id|no|number)',
    'id (de )?(la )?transaction',
  ),
  group:
    /^(?!.*\b(date|day|time)\b)(.*(batch|settlement (id|ref(erence)?|no)|payout id)|((n|no|num|numero|id) )?(de |du )?(lot|remise|bordereau|group|groupe)( (id|no|nr|num|number|ref))?$)/,
  reference:
    /ref(erence)?( ?(no|number|id))?$|^(merchant|order|your|customer) ?(ref(erence)?|id|no)$|^(order|order id|invoice)$|^ref(erence)?( (n|no|nr|num|numero|client))?$/,
  debit: any(
    'debits?|withdrawals?|withdrawn|money out|paid out|out|dr|(debit|withdrawal) (amount|amt)|amount out',
    'sorties?|montant debit',
  ),
  credit: any(
    'credits?|deposits?|lodge?ments?|money in|paid in|in|cr|(credit|deposit) (amount|amt)|amount in',
    'entrees?|montant credit',
  ),
  sign: any(
    'dr ?cr|cr ?dr|[dc] ?[cd]|(debit ?credit|credit ?debit)( indicator)?|direction|sign|side|indicator|sens|signe',
  ),
  balance: /balance|solde/,
  fee: any('(fees?|charges?|commissions?|service (fee|charge)|processing fee)( amount)?|frais|cout'),
  duty: /duty|levy|\btimbres?\b/,
  tax: any('(vat|tax|taxes)( amount)?|(vat|tax) on fees?|tva|impots?|(tva|taxe) sur .*'),
  gross: any('gross( amount)?|(montant )?brut'),
  net: any('net( amount)?|net settlement|montant net'),
  currency: any('currency|ccy|curr|currency code|devise|monnaie'),
  type: any(
    'type|transaction type|trans type|txn type|category|kind|entry type|operation|event',
    'type (d )?(operation|mouvement)|type de mouvement|nature|categorie',
  ),
  counterparty:
    /beneficiaire|beneficiary|counter ?part|contrepartie|customer name|payee|payer|sender|recipient|donneur d ordre/,
  text: /libelle|descri|motif|narration|details|remarks?|memo|text|particulars|note/,
  signed: any('(amount|value|sum|total|amt|transaction amount|montant)( in)?( [a-z]{3})?'),
} as const;
export type ColumnRole = keyof typeof HEADER_WORDS;

/** Headers of a document or of a row's own id, which is the reference where no other column is. */
const DOCUMENT = any(
  'id|row id|entry id|((n|no|nr|num|numero) )?(document|doc|piece|facture)( (n|no|nr|num))?|commande',
);

const MINOR = 'kobo|cents?|pence|pesewas?|centimes?|minor( units?)?';
const CURRENCY = new RegExp(` (in )?(euros?|dollars?|francs?|naira|${MINOR}|${CODES.toLowerCase()})$`);

/** Returns what a column with this header probably holds; null: its words are not known. */
export function roleOf(header: string): ColumnRole | null {
  const word = foldedWord(header);
  // `Débit euros`, `Charges (NGN)`: the currency says nothing of the column.
  const words = [word, word.replace(CURRENCY, '')].filter((one) => one !== '');
  const found = words
    .map((one) => Object.entries(HEADER_WORDS).find(([, pattern]) => pattern.test(one)))
    .find((entry) => entry !== undefined);
  return (found?.[0] as ColumnRole | undefined) ?? null;
}

/** Whether a column is named as a document. */
export function isDocument(header: string): boolean {
  return DOCUMENT.test(foldedWord(header));
}

/** Whether the header of amounts says that they are minor units: `amount_kobo`. */
export function isInMinorUnits(header: string): boolean {
  return new RegExp(` (in )?(${MINOR})$`).test(foldedWord(header));
}

/** Whether the header of a column ends or begins with a date, such as `batch_date`. */
export function isDateName(header: string): boolean {
  return /^date\b|\b(date|day)$/.test(foldedWord(header));
}

/** Words of a column that says whether money went out or came in, as they are written. */
export const DEBIT_WORDS = /^(d|dr|db|d[eé]bit|out|-|withdrawal|outgoing|sortie)$/i;
export const CREDIT_WORDS = /^(c|cr|cr[eé]dit|in|\+|deposit|incoming|entr[eé]e)$/i;
const DIRECTIONS = [
  ['D', 'C'],
  ['Debit', 'Credit'],
  ['Débit', 'Crédit'],
] as const;

/** Returns the words of money out and in; of a file that has only one of the two, the other as that one is written. */
export function directionsOf(words: readonly string[]): { readonly debit: string[]; readonly credit: string[] } {
  const debit = words.filter((word) => DEBIT_WORDS.test(word));
  const credit = words.filter((word) => !DEBIT_WORDS.test(word));
  const [out = 'DR', into = 'CR'] = DIRECTIONS.find((pair) => pair.some((word) => words.includes(word))) ?? [];
  return { debit: debit.length === 0 ? [out] : debit, credit: credit.length === 0 ? [into] : credit };
}

export const BALANCE_WORDS = [
  [
    'balance.opening',
    /opening|brought forward|start(ing)? balance|\bb f\b|(ancien )?solde (initial|precedent|d ouverture)|ancien solde/,
  ],
  ['balance.closing', /closing|carried forward|end(ing)? balance|\bc f\b|solde (final|de cloture)|nouveau solde/],
] as const;

/** What may stand around the word of a balance, in a cell that says nothing else. */
const WHOLE = BALANCE_WORDS.map(
  ([, { source }]) =>
    new RegExp(`^((account|ledger|book|available|balance) )?(${source})( balance)?( (as|of|on|at|au|du|le))*$`),
);

/** Whether a row states an opening or closing balance: a cell says so, and nothing else. Such a row may have a date and an amount. */
export function statesBalance(row: Row): boolean {
  return row.some((cell) => {
    const word = foldedWord(cellText(cell).replace(/\d+/g, ' '));
    return word !== '' && WHOLE.some((pattern) => pattern.test(word));
  });
}

/** Cells before the first and the last day of a file. Short words must be the whole cell. */
export const COVER_WORDS = [
  ['covers.from', /^((period|statement|date) )?(from|start|begin)\b|^(periode )?(du|depuis)$|^date de debut$|^debut$/],
  ['covers.to', /^((period|statement|date) )?(to|until|end)\b|^(au|jusqu au)$|^date de fin$|^fin$/],
] as const;

const BACK = 'revers|annul|retour|rejet';
const PAID_OUT = 'payout|transfer|disburse|decaissement';
const COLLECTED = 'collection|payment|charge|sale|vente|encaiss';
const DISPUTED = 'charge ?back|dispute|impaye';

/** The more exact ones come first. */
const TYPE_WORDS = [
  [new RegExp(`(${DISPUTED}).*(revers|won|gagn)|won.*charge ?back`), 'chargeback_reversal'],
  [new RegExp(DISPUTED), 'chargeback'],
  [new RegExp(`(${PAID_OUT}).*(${BACK})|(${BACK}).*(${PAID_OUT})`), 'payout_reversal'],
  [new RegExp(`(${COLLECTED}).*(${BACK})|(${BACK}).*(${COLLECTED})`), 'collection_reversal'],
  [/top ?up|funding|deposit|recharge|approvisionnement/, 'top_up'],
  [
    new RegExp(`(refund|rembours).*(${BACK}|return|back|fail)|(revers|return|fail|reject)\\w* refund`),
    'refund_reversal',
  ],
  [/refund|^rfn?d$|rembours/, 'refund'],
  [/release|liberation/, 'release'],
  [/reserv|hold\b|retenue/, 'reserve'],
  [/stamp|duty|levy|\btimbres?\b/, 'duty'],
  [/\b(vat|tax|taxes|taxe|tva)\b|impot/, 'tax'],
  [/fee|commiss|charges?$|\bfrais\b/, 'fee'],
  [/settle|reglement/, 'settlement'],
  [/payout|disburse|withdraw|retrait|decaissement/, 'payout'],
  [/convers|exchange|\bfx\b|devises/, 'conversion'],
  [/adjust|correc|ajust|regularis/, 'adjustment'],
  [/transf|virement/, 'transfer'],
  [new RegExp(`${COLLECTED}|pay$|credit|paiement`), 'collection'],
] as const satisfies readonly (readonly [RegExp, LineType])[];

/** The type of a word that means none of these: a type without words is named here, or does not compile. */
const WITHOUT_WORDS = { other: 'other' } as const satisfies {
  readonly [Type in Exclude<LineType, (typeof TYPE_WORDS)[number][1]>]: 'other';
};

export function typeOfWord(word: string): LineType {
  const compared = foldedWord(word);
  return TYPE_WORDS.find(([pattern]) => pattern.test(compared))?.[1] ?? WITHOUT_WORDS.other;
}

/** Words whose type the amounts say: that of money out, and of money in. */
const BY_DIRECTION: readonly (readonly [RegExp, LineType, LineType])[] = [
  [/^(payments?|paiements?)$/, 'payout', 'collection'],
  [/^charges?$/, 'fee', 'collection'],
  [/^(reversals?|reversed|extournes?|annulations?)$/, 'collection_reversal', 'payout_reversal'],
];

/** Returns the type of such a word by what its lines moved; null: it is none, or the lines do not tell. */
export function typeByDirection(word: string, direction: -1 | 0 | 1): LineType | null {
  const found = BY_DIRECTION.find(([pattern]) => pattern.test(foldedWord(word)));
  if (direction === 0 || found === undefined) return null;
  return direction < 0 ? found[1] : found[2];
}

/** Whether a word is one of a type, by itself or with what its lines moved. */
export function isTypeWord(word: string): boolean {
  return typeOfWord(word) !== 'other' || typeByDirection(word, 1) !== null;
}

/**
 * Whether a word is that of money in (1) or out (-1) in every account: a sale or a refund. 0: it is neither, or a bank has the other
 * side of it.
 */
export function directionOfSale(word: string): -1 | 0 | 1 {
  const isPayment = /^(payments?|paiements?)$/.test(foldedWord(word));
  const type = isPayment ? null : typeOfWord(word);
  if (type === 'collection') return 1;
  return type === 'refund' ? -1 : 0;
}
