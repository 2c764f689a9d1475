/*
 * The journal of a period: entries that bring every clearing account to zero, and the wallet and the bank to the statement's
 * closing balance. Each entry is of one currency, and its debits equal its credits.
 */

/** What an account of the ledger is for; the configuration gives each its name. */
export const JOURNAL_ACCOUNTS = [
  'wallet',
  'wallet_pending',
  'refund_reserve',
  'sales_clearing',
  'settlement_clearing',
  'bank',
  'fees',
  'input_tax',
  'duty',
  'chargebacks',
  'write_off',
  'claims',
  'carried',
  'payouts',
  'sales',
  'refunds',
  'other',
] as const;
export type JournalAccount = (typeof JOURNAL_ACCOUNTS)[number];

/** What an account of an entry is for: `equity` stands against opening balances, `reason` is the account of a reason code. */
export const JOURNAL_ROLES = [...JOURNAL_ACCOUNTS, 'equity', 'reason'] as const;
export type JournalRole = (typeof JOURNAL_ROLES)[number];

/** Accounts that end every period at zero. */
export const CLEARING_ACCOUNTS = ['sales_clearing', 'settlement_clearing'] as const;
export type ClearingAccount = (typeof CLEARING_ACCOUNTS)[number];

/** Where an entry comes from, in the order of the entries of one day. */
export const JOURNAL_SOURCES = [
  'opening', // what the accounts began with
  'books', // what the merchant sold and refunded
  'movement', // what a statement shows
  'resolution', // what persons decided about differences
  'carried', // what is left to the next period
  'brought_forward', // what the period before left to this one
  'reversal', // takes an entry of an earlier closing back
] as const;
export type JournalSource = (typeof JOURNAL_SOURCES)[number];

/** What the movements of one entry have in common. */
export const JOURNAL_GROUPINGS = ['day', 'settlement', 'period'] as const;
export type JournalGrouping = (typeof JOURNAL_GROUPINGS)[number];
