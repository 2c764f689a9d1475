import { isObject, type Json, member, NumberToken } from '../../domain/events/json.ts';
import { requireRequest } from '../calls/arguments.ts';
import type { Caller, ServiceRequest } from '../calls/caller.ts';
import { requireTexts } from '../calls/request-body.ts';
import { AccountNotVerifiedError } from '../errors/field-errors.ts';
import { UnreadableAnswerError } from '../errors/transport-errors.ts';
import { payoutRefusal } from './refusal.ts';
import { type AccountLookup, requireCurrency } from './request.ts';

export interface Bank {
  readonly bankName: string;
  readonly bankCode: string;
  /** URL of a picture; null when there is none. */
  readonly logo: string | null;
}

export interface BankList {
  /** Currency of these banks; the service chooses it when the request has none. */
  readonly currency: string | null;
  readonly banks: readonly Bank[];
}

/** What is asked before a payout is sent. */
export interface BankCalls {
  /** Returns banks and operators of a currency (interface 2.7, 4.5). */
  banks(currency?: string): Promise<BankList>;
  /** Returns the name on an account. Throws AccountNotVerifiedError when there is none (decision 81). */
  verifyAccount(account: AccountLookup): Promise<{ readonly accountName: string }>;
}

export function bankCalls(caller: Caller): BankCalls {
  return {
    async banks(currency) {
      if (currency !== undefined) requireCurrency(currency);
      const path = currency === undefined ? '/api/v1/bank_list' : `/api/v1/bank_list/${currency}`;
      const request: ServiceRequest = { method: 'GET', path, repeat: 'safe', isList: true, refusal: payoutRefusal('') };
      const { data, root, httpStatus } = await caller.call(request);
      if (!Array.isArray(data))
        throw new UnreadableAnswerError(request, httpStatus, 'shape', 'it holds no list of banks');
      return { currency: textOf(member(root, 'currency')), banks: data.flatMap(bankOf) };
    },
    async verifyAccount(lookup) {
      requireRequest(
        lookup,
        ['currency', 'bankCode', 'accountNumber'],
        'payouts.verifyAccount({ currency, bankCode, accountNumber })',
      );
      const { currency, bankCode, accountNumber } = lookup;
      requireTexts({ currency, bankCode, accountNumber });
      requireCurrency(currency);
      const request: ServiceRequest = {
        method: 'POST',
        path: '/api/v1/account_name_verify',
        body: { currency, bank_code: bankCode, account_number: accountNumber },
        repeat: 'never',
        sensitive: [accountNumber],
        refusal: (facts) => new AccountNotVerifiedError(facts),
      };
      const { data, httpStatus } = await caller.call(request);
      const accountName = textOf(isObject(data) ? member(data, 'account_name') : data);
      if (accountName !== null && accountName !== '') return { accountName };
      throw new UnreadableAnswerError(request, httpStatus, 'shape', 'it holds no account name');
    },
  };
}

function bankOf(value: Json): Bank[] {
  if (!isObject(value)) return [];
  const bankName = textOf(member(value, 'bankName'));
  const bankCode = textOf(member(value, 'bankCode'));
  return bankName === null || bankCode === null ? [] : [{ bankName, bankCode, logo: textOf(member(value, 'logo')) }];
}

/** Returns a text or the digits of a number: some services write bank codes as numbers. */
function textOf(value: Json | undefined): string | null {
  if (value instanceof NumberToken) return value.source;
  return typeof value === 'string' ? value : null;
}
