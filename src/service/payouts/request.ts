import { type Amount, compareAmounts } from '../../domain/amount.ts';
import { canonicalAccount } from '../../domain/payout.ts';
import { requireNewReference } from '../calls/references.ts';
import { amountText, amountToken, type BodyFields, requireTexts } from '../calls/request-body.ts';
import { RequestRefusedError } from '../errors/usage-errors.ts';
import type { Payout } from './record.ts';

/** A payout to send (interface 2.7). */
export interface PayoutRequest {
  /** NGN, KES or GHS in the sandbox. */
  readonly currency: string;
  readonly amount: Amount;
  /** Of a bank or mobile money operator; `payouts.banks()` lists them. */
  readonly bankCode: string;
  readonly bankName: string;
  /** Account or phone number, sent as it is written. */
  readonly accountNumber: string;
  readonly narration: string;
  /** Your own, new, 16 to 64 characters: it is what the payout is known by, and it is never sent twice. */
  readonly reference: string;
}

export interface WalletPayoutRequest extends PayoutRequest {
  /** Where the merchant's wallet setup requires it. */
  readonly walletCode?: string | undefined;
}

export interface AccountQuestion {
  readonly currency: string;
  readonly bankCode: string;
  readonly accountNumber: string;
}

/** Checks and writes a payout. Throws RequestRefusedError; nothing has been sent. */
export function payoutBody(request: WalletPayoutRequest, amountForm: 'number' | 'string'): BodyFields {
  const { currency, amount, bankCode, bankName, accountNumber, narration, reference, walletCode } = request;
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

/** Three capital letters; which currencies are served is the service's business. */
export function requireCurrency(currency: string): void {
  if (!/^[A-Z]{3}$/.test(currency)) {
    throw new RequestRefusedError('currency', `is ${JSON.stringify(currency)}, and must be a code such as NGN`);
  }
}

/**
 * Whether a payout that the service knows is the one we meant (decision 75): same amount, same account, same currency.
 * False for any difference; null when there is none and it does not say enough to tell.
 */
export function isSamePayout(payout: Payout, request: PayoutRequest): boolean | null {
  const { amount, accountNumber } = payout;
  const account = (text: string) => canonicalAccount(text, request.currency);
  const otherAccount = accountNumber !== null && account(accountNumber) !== account(request.accountNumber);
  if (otherAccount || namesOtherMoney(payout, request)) return false;
  return amount === null || accountNumber === null ? null : true;
}

/** Whether an answer names another amount or currency than was sent. Accounts are rewritten on the way (decision 79). */
export function namesOtherMoney({ amount, currency }: Payout, request: PayoutRequest): boolean {
  const otherAmount = amount !== null && compareAmounts(amount, request.amount) !== 0;
  return otherAmount || (currency !== null && currency !== request.currency);
}
