import { ENTRY_TYPES, type EntryType } from '../world/state.ts';

type Words = Readonly<Record<EntryType, string>>;

/** The words of docs/sandbox.md themselves. */
export const OWN_WORDS = Object.fromEntries(ENTRY_TYPES.map((type) => [type, type])) as Words;

export const SENTENCE_WORDS: Words = {
  collection: 'Payment received',
  refund: 'Refund paid',
  collection_reversal: 'Payment reversed',
  reserve: 'Funds held',
  release: 'Funds released',
  payout: 'Transfer out',
  payout_reversal: 'Transfer returned',
  fee: 'Service charge',
  tax: 'VAT on charge',
  duty: 'Stamp duty',
  chargeback: 'Dispute lost',
  chargeback_reversal: 'Dispute won',
  settlement: 'Settlement',
  top_up: 'Deposit',
  transfer: 'Internal transfer',
  adjustment: 'Correction',
};

export const CODE_WORDS: Words = {
  collection: 'COL',
  refund: 'REF',
  collection_reversal: 'CRV',
  reserve: 'RSV',
  release: 'RLS',
  payout: 'PAY',
  payout_reversal: 'PRV',
  fee: 'FEE',
  tax: 'TAX',
  duty: 'DTY',
  chargeback: 'CHB',
  chargeback_reversal: 'CHR',
  settlement: 'STL',
  top_up: 'TOP',
  transfer: 'TRF',
  adjustment: 'ADJ',
};

/** With letters that are other bytes in windows-1252 than in UTF-8. */
export const ACCENTED_WORDS: Words = {
  collection: 'Paiement reçu',
  refund: 'Remboursement',
  collection_reversal: 'Paiement annulé',
  reserve: 'Réserve',
  release: 'Réserve libérée',
  payout: 'Virement émis',
  payout_reversal: 'Virement retourné',
  fee: 'Frais prélevés',
  tax: 'Taxe sur frais prélevés',
  duty: 'Droit de timbre',
  chargeback: 'Impayé',
  chargeback_reversal: 'Impayé annulé',
  settlement: 'Règlement',
  top_up: 'Dépôt',
  transfer: 'Virement interne',
  adjustment: 'Régularisation',
};
