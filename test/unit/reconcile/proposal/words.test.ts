import { describe, expect, test } from 'vitest';
import { isDocument, roleOf } from '../../../../src/reconcile/proposal/header-words.ts';
import {
  isTypeWord,
  typeOfCharge,
  typeOfPayment,
  typeOfReversal,
  typeOfWord,
} from '../../../../src/reconcile/proposal/type-words.ts';

describe('headers', () => {
  test.each([
    [
      'date',
      'Date, Transaction date, Date opération, Buchungstag, Fecha, Data, Data do movimento, Data contabile, Bokföringsdag, Boekdatum',
    ],
    ['valueDate', 'Value date, Date de valeur, Wertstellung, Fecha valor, Data valuta, Value Dt'],
    ['time', 'Time, Heure, Uhrzeit, Hora, Ora'],
    ['reference', 'Reference, Order ID, Référence, Referenz, Referencia, Referência, Riferimento, Kundenreferenz'],
    ['sessionId', 'Session ID, Sessão, Sesión, Sitzung'],
    ['transactionReference', 'Transaction ID, Transaktions-ID, Transacción, Transação, ID transazione'],
    ['group', 'Batch, batch_id, Settlement batch, Lote, Lot, lot_no, Lot ID, Remise, Remesa, Nº lote, Gruppe, Group'],
    [
      'debit',
      'Debit, Débit, Soll, Debe, Cargo, Débito, Dare, Débit euros, Debit (NGN), Withdrawal Amt., Withdrawn, Uttag',
    ],
    [
      'credit',
      'Credit, Crédit, Haben, Haber, Abono, Crédito, Avere, Crédit euros, Credit in EUR, Deposit Amt., Insättning',
    ],
    ['sign', 'Dr/Cr, Sens, Soll/Haben-Kennzeichen, Debe/Haber, Segno'],
    ['balance', 'Balance, Solde, Saldo, Kontostand'],
    ['fee', 'Fee, Frais, Gebühr, Comisión, Comissão, Tarifa, Taxa, Commissioni, Charges (NGN)'],
    ['tax', 'VAT, TVA, MwSt, Impuesto, Imposto, Imposta, IVA sobre comisión'],
    ['duty', 'Stamp duty, Droit de timbre, Stempelgebühr, Selo, Imposto de selo, Bollo'],
    ['gross', 'Gross amount, Montant brut, Brutto, Bruto, Valor bruto, Lordo'],
    ['net', 'Net, Montant net, Netto, Neto, Líquido'],
    ['currency', 'Currency, Devise, Währung, Divisa, Moeda'],
    ['type', 'Type, Nature, Vorgang, Tipo de operación, Operação, Tipo operazione'],
    ['counterparty', 'Beneficiary, Bénéficiaire, Empfänger, Favorecido, Ordenante, Destinatario'],
    ['text', 'Description, Libellé, Verwendungszweck, Concepto, Histórico, Descrição, Causale'],
    ['signed', 'Amount, Montant, Betrag, Importe, Valor, Importo, Amount (NGN), Belopp, Bedrag'],
    [null, 'Asiento, Kz., Branch, Refund policy, batch_date, Batch date, Batchdatum, Fecha de lote'],
  ])('%s', (role, headers) => {
    for (const header of headers.split(', ')) expect([header, roleOf(header)]).toEqual([header, role]);
  });

  test('a document stands for the reference only where nothing else does', () => {
    for (const header of ['id', 'Documento', 'Nº documento', 'Belegnummer', 'Factura']) {
      expect([header, isDocument(header), roleOf(header)]).toEqual([header, true, null]);
    }
  });
});

describe('types', () => {
  test.each([
    ['collection', 'Payment, Sale, Recebimento, Venda, Venta, Cobro, Encaissement, Vente, Verkauf, Incasso'],
    ['refund', 'Refund, Reembolso, Remboursement, Erstattung, Rimborso, Devolución, Rückzahlung'],
    [
      'refund_reversal',
      'Refund reversal, Refund returned, Failed refund, Returned refund, Remboursement rejeté, Reembolso devolvido, Erstattung zurück',
    ],
    ['payout', 'Payout, Withdrawal, Pagamento, Pago, Saque, Auszahlung, Décaissement'],
    [
      'payout_reversal',
      'Payout reversal, Reversed payout, Devolução de pagamento, Estorno de pagamento, Auszahlung storniert',
    ],
    ['collection_reversal', 'Collection reversal, Estorno de venda, Vente annulée'],
    ['reserve', 'Reserve, Hold, Reserva, Retenção, Riserva'],
    ['release', 'Release, Liberação, Liberación de reserva, Freigabe'],
    ['settlement', 'Settlement, Liquidação, LIQUIDACION DIARIA, Règlement'],
    ['top_up', 'Top-up, Recarga, Aufladung, Ricarica'],
    ['fee', 'Fee, Charges, Tarifa, Taxa, Comissão, Frais, Gebühr'],
    ['tax', 'VAT, VAT on fee, Tax, IVA, Imposto, Umsatzsteuer'],
    ['duty', 'Stamp duty, Imposto de selo, Bollo'],
    ['chargeback', 'Chargeback, Dispute, Contestação, Contracargo'],
    ['chargeback_reversal', 'Chargeback won, Chargeback reversal, Contracargo ganado'],
    ['conversion', 'Conversion, Câmbio, Conversão'],
    ['adjustment', 'Adjustment, Ajuste, Korrektur, Rettifica'],
    ['transfer', 'Transfer, TRANSF ENVIADA, Virement, Überweisung'],
    ['other', 'Bonificação, Misc'],
  ])('%s', (type, words) => {
    for (const word of words.split(', ')) expect([word, typeOfWord(word)]).toEqual([word, type]);
  });

  test('a payment is what its lines moved', () => {
    expect([typeOfPayment('Pagamento', 1), typeOfPayment('Paiement', -1)]).toEqual(['collection', 'payout']);
    expect([typeOfPayment('Payment', 0), typeOfPayment('Payment of fee', -1)]).toEqual([null, null]);
  });

  test('a charge is a sale of ours or a fee of theirs', () => {
    expect(([1, -1, 0] as const).map((direction) => typeOfCharge('Charge', direction))).toEqual([
      'collection',
      'fee',
      null,
    ]);
    expect(typeOfCharge('Service charge', 1)).toBeNull();
  });

  test('a reversal takes back what its lines say: money out a collection, money in a payout', () => {
    for (const word of ['Rückbuchung', 'Reversal', 'Estorno', 'Storno']) {
      const types = ([-1, 1, 0] as const).map((direction) => typeOfReversal(word, direction));
      expect([word, types, isTypeWord(word)]).toEqual([word, ['collection_reversal', 'payout_reversal', null], true]);
    }
    expect([typeOfReversal('Fee reversal', -1), isTypeWord('Misc')]).toEqual([null, false]);
  });
});
