import { describe, expect, test } from 'vitest';
import {
  isDocument,
  isTypeWord,
  roleOf,
  typeByDirection,
  typeOfWord,
} from '../../../../src/reconcile/proposal/words.ts';

describe('headers', () => {
  test.each([
    ['date', 'Date, Transaction date, Date opération, Date comptable'],
    ['valueDate', 'Value date, Date de valeur, Value Dt'],
    ['time', 'Time, Heure'],
    ['reference', 'Reference, Order ID, Référence, Référence client, Your ref'],
    ['sessionId', 'Session ID, Séance'],
    ['transactionReference', 'Transaction ID, ID de la transaction'],
    ['group', 'Batch, batch_id, Settlement batch, Lot, lot_no, Lot ID, Remise, Nº lot, Group, Groupe'],
    ['debit', 'Debit, Débit, Débit euros, Debit (NGN), Withdrawal Amt., Withdrawn, Sortie'],
    ['credit', 'Credit, Crédit, Crédit euros, Credit in EUR, Deposit Amt., Entrée'],
    ['sign', 'Dr/Cr, Sens, Débit/Crédit, D/C'],
    ['balance', 'Balance, Solde'],
    ['fee', 'Fee, Frais, Commission, Charges (NGN)'],
    ['tax', 'VAT, TVA, TVA sur frais, VAT on fee'],
    ['duty', 'Stamp duty, Droit de timbre'],
    ['gross', 'Gross amount, Montant brut'],
    ['net', 'Net, Montant net'],
    ['currency', 'Currency, Devise'],
    ['type', 'Type, Nature, Type d’opération'],
    ['counterparty', 'Beneficiary, Bénéficiaire'],
    ['text', 'Description, Libellé, Motif'],
    ['signed', 'Amount, Montant, Amount (NGN)'],
    [null, 'Ecriture, Branch, Refund policy, batch_date, Batch date'],
  ])('%s', (role, headers) => {
    for (const header of headers.split(', ')) expect([header, roleOf(header)]).toEqual([header, role]);
  });

  test('a document stands for the reference only where nothing else does', () => {
    for (const header of ['id', 'Document', 'Nº document', 'Facture']) {
      expect([header, isDocument(header), roleOf(header)]).toEqual([header, true, null]);
    }
  });
});

describe('types', () => {
  test.each([
    ['collection', 'Payment, Sale, Encaissement, Vente'],
    ['refund', 'Refund, Remboursement'],
    ['refund_reversal', 'Refund reversal, Refund returned, Failed refund, Returned refund, Remboursement rejeté'],
    ['payout', 'Payout, Withdrawal, Décaissement'],
    ['payout_reversal', 'Payout reversal, Reversed payout, Décaissement annulé'],
    ['collection_reversal', 'Collection reversal, Vente annulée'],
    ['reserve', 'Reserve, Hold, Retenue'],
    ['release', 'Release, Libération'],
    ['settlement', 'Settlement, Règlement'],
    ['top_up', 'Top-up, Recharge'],
    ['fee', 'Fee, Charges, Frais'],
    ['tax', 'VAT, VAT on fee, Tax, TVA'],
    ['duty', 'Stamp duty, Droit de timbre'],
    ['chargeback', 'Chargeback, Dispute, Impayé'],
    ['chargeback_reversal', 'Chargeback won, Chargeback reversal'],
    ['conversion', 'Conversion, FX'],
    ['adjustment', 'Adjustment, Ajustement'],
    ['transfer', 'Transfer, Virement'],
    ['other', 'Bonus, Misc'],
  ])('%s', (type, words) => {
    for (const word of words.split(', ')) expect([word, typeOfWord(word)]).toEqual([word, type]);
  });

  test('a payment, a charge or a reversal is what its lines moved', () => {
    const types = (word: string) => ([-1, 1, 0] as const).map((direction) => typeByDirection(word, direction));
    expect(types('Payment')).toEqual(['payout', 'collection', null]);
    expect(types('Paiement')).toEqual(['payout', 'collection', null]);
    expect(types('Charge')).toEqual(['fee', 'collection', null]);
    for (const word of ['Reversal', 'Extourne'])
      expect([types(word), isTypeWord(word)]).toEqual([['collection_reversal', 'payout_reversal', null], true]);
    for (const word of ['Payment of fee', 'Service charge', 'Fee reversal'])
      expect(types(word)).toEqual([null, null, null]);
    expect(isTypeWord('Misc')).toBe(false);
  });
});
