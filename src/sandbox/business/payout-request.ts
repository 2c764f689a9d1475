import { z } from 'zod';
import { oneOf, optionalText, readFields, referenceText, requiredText } from '../wire/fields.ts';
import { WireNumber } from '../wire/json.ts';
import { refuseFields } from '../wire/refusal.ts';
import { type Account, type Bank, findAccount, findBank } from '../world/banks.ts';
import { MINOR, type Money, parseMoney } from '../world/money.ts';
import { PAYOUT_CURRENCIES, type PayoutCurrency } from '../world/records.ts';

/** A payout request whose bank and account exist in the sandbox (interface 2.7, 4.5). */
export interface PayoutRequest {
  readonly currency: PayoutCurrency;
  readonly amount: Money;
  readonly bank: Bank;
  readonly bankName: string;
  readonly account: Account;
  readonly accountNumber: string;
  readonly narration: string;
  readonly reference: string;
  readonly walletCode: string | null;
}

/** A number, or a string of the same digits (decision 70). */
const amountField = z
  .unknown()
  .optional()
  .transform((value, context): Money => {
    const missing = value === undefined || value === null || value === '';
    const text = value instanceof WireNumber ? value.token : value;
    const amount = typeof text === 'string' && /^\d{1,15}(\.\d{1,2}0*)?$/.test(text) ? parseMoney(text) : null;
    if (missing) context.addIssue({ code: 'custom', message: 'The amount field is required.' });
    else if (amount === null)
      context.addIssue({
        code: 'custom',
        message: 'The amount must be a number with at most 15 digits and two decimals.',
      });
    else if (amount < MINOR) context.addIssue({ code: 'custom', message: 'The amount must be at least 0.01.' });
    return amount ?? 0n;
  });

const payoutSchema = z.object({
  currency: oneOf('currency', PAYOUT_CURRENCIES),
  amount: amountField,
  bank_code: requiredText('bank_code'),
  bank_name: requiredText('bank_name'),
  account_number: requiredText('account_number'),
  narration: optionalText('narration'),
  reference: referenceText(),
  wallet_code: optionalText('wallet_code'),
});

const accountSchema = payoutSchema.pick({ currency: true, bank_code: true, account_number: true });

/** The request of a payout. Throws a 422 that names every wrong field. */
export function readPayoutRequest(body: unknown): PayoutRequest {
  const { fields, errors } = readFields(payoutSchema, body);
  if (errors) throw refuseFields(errors);
  const { currency, amount, reference } = fields;
  const { bank, account } = locate(currency, fields.bank_code, fields.account_number);
  return {
    currency,
    amount,
    bank,
    bankName: fields.bank_name,
    account,
    accountNumber: fields.account_number,
    narration: fields.narration ?? '',
    reference,
    walletCode: fields.wallet_code,
  };
}

/** The name on an account. Throws 422 when there is no such account (decision 81). */
export function verifyAccountName(body: unknown): string {
  const { fields, errors } = readFields(accountSchema, body);
  if (errors) throw refuseFields(errors);
  return locate(fields.currency, fields.bank_code, fields.account_number).account.name;
}

function locate(currency: PayoutCurrency, bankCode: string, accountNumber: string): { bank: Bank; account: Account } {
  const bank = findBank(currency, bankCode);
  if (!bank) throw refuseFields({ bank_code: [`No ${currency} bank of this sandbox has the code ${bankCode}.`] });
  const account = findAccount(currency, bank, accountNumber);
  if (!account)
    throw refuseFields({ account_number: ['The account could not be verified: it is not a sandbox account.'] });
  return { bank, account };
}
