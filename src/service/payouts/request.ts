import { type Amount, compareAmounts } from '../../domain/money/amount.ts';
import { canonicalAccount } from '../../domain/records/payout.ts';
import { kindOf, namesOf, optionalTexts, requireRequest } from '../calls/arguments.ts';
import { requireNewReference } from '../calls/references.ts';
import { amountText, amountToken, type BodyFields, requireTexts } from '../calls/request-body.ts';
import { RequestRefusedError } from '../errors/usage-errors.ts';
import type { Payout } from './record.ts';

/** A payout to send (interface 2.7). */
export interface PayoutRequest {
  /** NGN, KES or GHS in the sandbox. */
  readonly currency: string;
  readonly amount: Amount;
  /** Code of a bank or mobile money operator, from `payouts.banks()`. */
  readonly bankCode: string;
  readonly bankName: string;
  /** Account or phone number, sent unchanged. */
  readonly accountNumber: string;
  readonly narration: string;
  /** Your own, new: 1 to 255 of `A-Z a-z 0-9 _ . -`, better 16 or more. It identifies the payout, and is sent only once. */
  readonly reference: string;
}

export interface WalletPayoutRequest extends PayoutRequest {
  /** Needed where the merchant's wallet setup requires it. */
  readonly walletCode?: string | undefined;
}

const FIELDS = namesOf<WalletPayoutRequest>({
  currency: true,
  amount: true,
  bankCode: true,
  bankName: true,
  accountNumber: true,
  narration: true,
  reference: true,
  walletCode: true,
});

export interface AccountLookup {
  readonly currency: string;
  readonly bankCode: string;
  readonly accountNumber: string;
}

/** Returns the checked body of a payout. Throws RequestRefusedError; nothing has been sent. */
export function payoutBody(request: WalletPayoutRequest, amountForm: 'number' | 'string'): BodyFields {
  requireRequest(request, FIELDS, 'payouts.send({ currency, amount: parseAmount("5.00"), bankCode, … })');
  const { currency, amount, bankCode, bankName, accountNumber, narration, reference, walletCode } = request;
  optionalTexts({ walletCode });
  requireTexts({ currency, bankCode, bankName, accountNumber, narration });
  requireCurrency(currency);
  requireNewReference(reference);
  return {
    currency,
    amount: amountForm === 'number' ? amountToken(amount) : amountText(amount),
    bank_code: bankCode,
    bank_name: bankName,
    account_number: accountNumber,
    narration,
    reference,
    wallet_code: walletCode,
  };
}

/** Requires three capital letters; the service decides which currencies it supports. Throws RequestRefusedError. */
export function requireCurrency(currency: string): void {
  if (typeof currency === 'string' && /^[A-Z]{3}$/.test(currency)) return;
  const seen = typeof currency === 'string' ? JSON.stringify(currency) : kindOf(currency);
  throw new RequestRefusedError('currency', `is ${seen}, and must be a code such as NGN`);
}

/**
 * Whether a payout of the service is the requested one (decision 75): same amount, currency, account and bank. False for
 * any difference; null when there is none but amount or account is missing.
 */
export function isSamePayout(payout: Payout, request: PayoutRequest): boolean | null {
  const { amount, currency, accountNumber, bankCode } = payout;
  // The service rewrites phone numbers (decision 79).
  const account = (text: string) => withoutZeros(canonicalAccount(text, request.currency));
  const differs =
    (amount !== null && compareAmounts(amount, request.amount) !== 0) ||
    (currency !== null && currency !== request.currency) ||
    (accountNumber !== null && account(accountNumber) !== account(request.accountNumber)) ||
    (bankCode !== null && withoutZeros(bankCode) !== withoutZeros(request.bankCode));
  if (differs) return false;
  return amount === null || accountNumber === null ? null : true;
}

/** Some services write account numbers and bank codes as numbers, which have no leading zeros. */
function withoutZeros(code: string): string {
  return code.replace(/^0+(?=\d)/, '');
}
