import type { AccountName } from './story.ts';

const of = (
  name: string,
  kind: AccountName['kind'],
  currency: string,
  environment: AccountName['environment'] = 'test',
): AccountName => ({ name, kind, environment, currency });

/** The accounts of the month. Each is one object, so that identity names it. */
export const WALLETS = {
  NGN: of('wallet-ngn', 'wallet', 'NGN'),
  USD: of('wallet-usd', 'wallet', 'USD'),
  GHS: of('wallet-ghs', 'wallet', 'GHS'),
} as const;
export type WalletCurrency = keyof typeof WALLETS;

export const SETTLEMENTS = of('settlement-ngn', 'settlement', 'NGN');
export const BANK = of('bank-ngn', 'bank', 'NGN');
export const BOOKS = of('books-ngn', 'ledger', 'NGN');

/** The live environment has the same references as the test one, in its own wallet. */
export const LIVE_WALLET = of('wallet-live', 'wallet', 'NGN', 'live');

/** Accounts of their own for faults of whole files: no record of ours belongs to them. */
export const FILE_FAULTS = {
  days: of('gap-of-days', 'bank', 'GHS', 'live'),
  opening: of('gap-of-money', 'bank', 'USD', 'live'),
  rows: of('control-rows', 'bank', 'NGN', 'live'),
  sum: of('control-sum', 'bank', 'KES', 'live'),
  closing: of('control-closing', 'bank', 'KES', 'live'),
  running: of('control-running', 'bank', 'USD', 'live'),
  net: of('control-net', 'settlement', 'USD', 'live'),
} as const;

/** Accounts that a file with a balance of its own proves. */
export const PROVEN: readonly AccountName[] = [
  ...Object.values(WALLETS),
  BANK,
  LIVE_WALLET,
  FILE_FAULTS.days,
  FILE_FAULTS.opening,
  FILE_FAULTS.closing,
];
