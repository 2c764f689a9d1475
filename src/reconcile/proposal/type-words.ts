import type { LineType } from '../../domain/statements/lines.ts';
import { foldedWord } from './fold.ts';

// What words of a type column usually mean in English, French, German, Italian, Portuguese and Spanish. They serve a proposal only: a
// person confirms it.

const BACK = 'revers|estorn|extorn|storn|annul|anula|devol|retour|ruck|rejet|rechaz';
const PAID_OUT = 'payout|transfer|disburse|pagamento|pago|saque|retiro|auszahlung|prelievo|decaissement';
const COLLECTED =
  'collection|payment|charge|sale|venda|venta|vente|verkauf|vendit|recebimento|cobro|cobranca|encaiss|incass';
const REFUNDED = 'refund|reembols|rembours|rimbors|erstatt';
const DISPUTED = 'charge ?back|dispute|disput|contracargo|contestac|ruckbelastung|impaye|retrofactur|contestazion';

/** The more exact ones come first. */
const TYPE_WORDS: readonly (readonly [RegExp, LineType])[] = [
  [
    new RegExp(`(${DISPUTED}).*(revers|won|estorn|ganad|ganh|gagn|gewonn|vint)|won.*charge ?back`),
    'chargeback_reversal',
  ],
  [new RegExp(DISPUTED), 'chargeback'],
  [new RegExp(`(${PAID_OUT}).*(${BACK})|(${BACK}).*(${PAID_OUT})`), 'payout_reversal'],
  [new RegExp(`(${COLLECTED}).*(${BACK})|(${BACK}).*(${COLLECTED})`), 'collection_reversal'],
  [/top ?up|funding|deposit|recarga|recharge|aufladung|ricarica|approvisionnement/, 'top_up'],
  [new RegExp(`(${REFUNDED}).*(${BACK}|return|back|fail)|(revers|return|fail|reject)\\w* refund`), 'refund_reversal'],
  [/refund|^rfn?d$|reembols|rembours|rimbors|erstatt|devoluc|ruckzahlung/, 'refund'],
  [/release|liberac|liberation|rilasci|svincol|freigabe|desbloque/, 'release'],
  [/reserv|riserv|hold\b|retenc|retenue|einbehalt|bloqueo|bloqueio/, 'reserve'],
  [/stamp|duty|levy|\b(selos?|sellos?|timbres?|boll[oi])\b|stempel/, 'duty'],
  [/\b(vat|tax|taxes|taxe|tva|iva|mw ?st|ust)\b|imposto|impuesto|imposta|impot|steuer/, 'tax'],
  [
    /fee|commiss|comiss|comision|charges?$|\b(tarif\p{L}*|taxas?|frais|spese|encargos?)\b|gebuhr|entgelt|provision/u,
    'fee',
  ],
  [/settle|liquidac|liquidaz|reglement|regolament|abrechnung/, 'settlement'],
  [
    /payout|disburse|desembols|withdraw|pagamento|\bpagos?\b|saque|retiro|retrait|prelievo|auszahlung|decaissement/,
    'payout',
  ],
  [/convers|exchange|\bfx\b|cambio|umtausch|devisen/, 'conversion'],
  [/adjust|correc|correz|ajust|aggiust|rettific|regularis|korrektur|berichtigung/, 'adjustment'],
  [/transf|trasfer|virement|bonifico|uberweisung|ubertrag/, 'transfer'],
  [new RegExp(`${COLLECTED}|pay$|credit|paiement|zahlung|receb`), 'collection'],
];

export function typeOfWord(word: string): LineType {
  const compared = foldedWord(word);
  return TYPE_WORDS.find(([pattern]) => pattern.test(compared))?.[1] ?? 'other';
}

/** Words that are a payment to us or one of ours: which one, the amounts say. */
const PAYMENT = /^(payments?|paiements?|pagament[oi]s?|pagos?|zahlung(en)?)$/;

/** Returns the type of a word for payments by what its lines moved; null: the word says it, or the lines do not. */
export function typeOfPayment(word: string, direction: -1 | 0 | 1): LineType | null {
  if (direction === 0 || !PAYMENT.test(foldedWord(word))) return null;
  return direction < 0 ? 'payout' : 'collection';
}

/** A sale of ours or a fee of theirs: which one, the amounts say. */
const CHARGE = /^charges?$/;

/** Returns the type of a word for charges by what its lines moved; null: it is none, or the lines do not tell. */
export function typeOfCharge(word: string, direction: -1 | 0 | 1): LineType | null {
  if (direction === 0 || !CHARGE.test(foldedWord(word))) return null;
  return direction < 0 ? 'fee' : 'collection';
}

/** Words that take back a payment to us or one of ours: which one, the amounts say. */
const REVERSAL =
  /^(ruckbuchung(en)?|reversals?|reversed|reversao|reversion(es)?|revers|estornos?|extornos?|extourne|storn[io]|stornierung(en)?|stornos?)$/;

/** Returns the type of a word for reversals by what its lines moved; null: it is none, or the lines do not tell. */
export function typeOfReversal(word: string, direction: -1 | 0 | 1): LineType | null {
  if (direction === 0 || !REVERSAL.test(foldedWord(word))) return null;
  return direction < 0 ? 'collection_reversal' : 'payout_reversal';
}

/** Whether a word is one of a type, by itself or with what its lines moved. */
export function isTypeWord(word: string): boolean {
  return typeOfWord(word) !== 'other' || REVERSAL.test(foldedWord(word));
}

/**
 * Whether a word is that of money in (1) or out (-1), whatever the account: a sale or a refund. 0: it is neither, or a bank has the other
 * side of it.
 */
export function directionOfSale(word: string): -1 | 0 | 1 {
  const type = PAYMENT.test(foldedWord(word)) ? null : typeOfWord(word);
  if (type === 'collection') return 1;
  return type === 'refund' ? -1 : 0;
}
