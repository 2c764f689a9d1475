import type { PayoutCurrency, PayoutStatus } from './records.ts';

/** The sandbox's banks, operators and accounts for payouts (interface 2.7, decision 76). All of it is test data. */
export interface Bank {
  readonly bankCode: string;
  readonly bankName: string;
  readonly kind: 'bank' | 'mobile_money';
}

export const BANKS: Record<PayoutCurrency, readonly Bank[]> = {
  NGN: [
    { bankCode: '990001', bankName: 'Sandbox Bank One', kind: 'bank' },
    { bankCode: '990002', bankName: 'Sandbox Bank Two', kind: 'bank' },
  ],
  KES: [
    { bankCode: '9901', bankName: 'Sandbox Bank Kenya', kind: 'bank' },
    { bankCode: 'MMKE', bankName: 'Sandbox Mobile Money Kenya', kind: 'mobile_money' },
  ],
  GHS: [
    { bankCode: '990101', bankName: 'Sandbox Bank Ghana', kind: 'bank' },
    { bankCode: 'MMGH', bankName: 'Sandbox Mobile Money Ghana', kind: 'mobile_money' },
  ],
};

/** The outcome of a payout, by the last digits of its account. */
export const ACCOUNT_OUTCOMES = [
  { ending: '0001', outcome: 'success', name: 'Ada Sandbox' },
  { ending: '0002', outcome: 'pending', name: 'Bola Pending' },
  { ending: '0003', outcome: 'failed', name: 'Chidi Failing' },
  { ending: '0004', outcome: 'reversed', name: 'Dayo Reversed' },
] as const satisfies readonly { ending: string; outcome: PayoutStatus; name: string }[];

export interface Account {
  /** Canonical digits: the account number, or the phone number with its country code (decision 79). */
  readonly number: string;
  readonly name: string;
  readonly outcome: PayoutStatus;
}

const COUNTRY_CODES: Record<PayoutCurrency, string> = { NGN: '234', KES: '254', GHS: '233' };
const BANK_ACCOUNT_START = '000000';
const PHONE_START: Record<PayoutCurrency, string> = { NGN: '80000', KES: '70000', GHS: '20000' };

export function findBank(currency: PayoutCurrency, bankCode: string): Bank | undefined {
  return BANKS[currency].find((bank) => bank.bankCode === bankCode);
}

/** The sandbox account with this number, undefined if there is none. A phone number may have any of its three notations. */
export function findAccount(currency: PayoutCurrency, bank: Bank, typed: string): Account | undefined {
  const number = bank.kind === 'bank' ? typed : canonicalPhone(currency, typed);
  return accountsOf(currency, bank).find((account) => account.number === number);
}

export function accountsOf(currency: PayoutCurrency, bank: Bank): Account[] {
  const start = bank.kind === 'bank' ? BANK_ACCOUNT_START : `${COUNTRY_CODES[currency]}${PHONE_START[currency]}`;
  return ACCOUNT_OUTCOMES.map(({ ending, outcome, name }) => ({ number: start + ending, name, outcome }));
}

/** The number with its country code and without a plus: 254700000001 for +254700000001 and 0700000001. */
export function canonicalPhone(currency: PayoutCurrency, typed: string): string {
  const country = COUNTRY_CODES[currency];
  if (typed.startsWith('+')) return typed.slice(1);
  return typed.startsWith('0') ? country + typed.slice(1) : typed;
}

/** The fixed virtual account of sandbox NGN bank transfer collections (interface 2.3, 2.7). */
export const VIRTUAL_ACCOUNT = {
  account_name: 'Sandbox Collections',
  account_number: '9900000001',
  bank_name: 'Sandbox Bank One',
} as const;
