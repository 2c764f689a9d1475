import { amount, currency, exact, type FieldTable, text } from './fields.ts';

/**
 * The fields of a payout (interface 2.7 and 6.3), with the extra fields observed (decisions, part 1). The wallet is known from
 * our request, or where an answer names it.
 */
export const PAYOUT_FIELDS = {
  facts: {
    amount: amount('amount'),
    currency: currency('currency'),
    bankCode: text('bank_code'),
    accountNumber: text('account_number'),
    walletCode: text('wallet_code'),
  },
  details: {
    fee: exact('fee'),
    stampDuty: exact('stamp_duty'),
    bankName: text('bank_name'),
    accountName: text('account_name'),
    narration: text('narration'),
    sessionId: text('sessionid'),
  },
  times: {
    createdAt: text('created_at'),
    paidAt: text('paid_at'),
    updatedAt: text('updated_at'),
  },
} as const satisfies FieldTable;

/** Country codes of the currencies whose mobile-money accounts are phone numbers (interface 2.7). */
const DIALLING_CODE: ReadonlyMap<string | null, string> = new Map([
  ['KES', '254'],
  ['GHS', '233'],
]);

/**
 * Returns one notation for phone numbers that the service rewrites (`024…` becomes `23324…`), so that two observations about
 * one destination agree (decisions 79). Bank account numbers are returned unchanged.
 */
export function canonicalAccount(account: string, currencyCode: string | null): string {
  const dialling = DIALLING_CODE.get(currencyCode);
  if (dialling === undefined) return account;
  const digits = account.replace(/^\+/, '');
  if (/^0\d{9}$/.test(digits)) return `${dialling}${digits.slice(1)}`;
  return digits.startsWith(dialling) && /^\d{12}$/.test(digits) ? digits : account;
}
