import { cellText, type Row } from '../file/cell.ts';
import { foldedWord } from './fold.ts';

/** Words of balances in English, French, German, Italian, Portuguese, Spanish and Swedish, compared without accents. */
export const BALANCE_WORDS = [
  [
    'balance.opening',
    /opening|ingaende|brought forward|start(ing)? balance|\bb f\b|saldo (inicial|anterior|iniziale|precedente|de abertura|de apertura|di apertura)|(ancien )?solde (initial|precedent|d ouverture)|ancien solde|(anfangs|eroffnungs)(saldo|bestand)|alter (saldo|kontostand)|saldovortrag/,
  ],
  [
    'balance.closing',
    /closing|utgaende|carried forward|end(ing)? balance|\bc f\b|saldo (final|finale|atual|actual|attuale|de fecho|de encerramento|de cierre|di chiusura)|solde (final|de cloture)|nouveau solde|(end|schluss|abschluss)(saldo|bestand)|neuer (saldo|kontostand)/,
  ],
] as const;

/** What may stand around the word of a balance, in a cell that says nothing else. */
const WHOLE = BALANCE_WORDS.map(
  ([, { source }]) =>
    new RegExp(
      `^((account|ledger|book|available|saldo|balance) )?(${source})( (balance|saldo))?( (as|of|on|at|am|per|zum|vom|au|du|le|al|del|em))*$`,
    ),
);

/** Whether a row states an opening or closing balance: a cell says so, and nothing else. Such a row may have a date and an amount. */
export function statesBalance(row: Row): boolean {
  return row.some((cell) => {
    const word = foldedWord(cellText(cell).replace(/\d+/g, ' '));
    return word !== '' && WHOLE.some((pattern) => pattern.test(word));
  });
}
