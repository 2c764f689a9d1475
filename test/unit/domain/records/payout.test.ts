import { expect, test } from 'vitest';
import { parseAmount } from '../../../../src/domain/money/amount.ts';
import { canonicalAccount } from '../../../../src/domain/records/payout.ts';
import { other } from '../observations.ts';

const statedBy = (...[kind, body]: [kind: 'payout', body: Record<string, unknown>]) =>
  other(kind, 'list', '1', body).stated;

test.each([
  ['KES', ['+254712345678', '254712345678', '0712345678'], '254712345678'],
  ['GHS', ['+233241234567', '233241234567', '0241234567'], '233241234567'],
])('the three notations of one %s phone number are one account', (currency, notations, account) => {
  for (const notation of notations) expect(canonicalAccount(notation, currency)).toBe(account);
});

test.each<[string, string | null]>([
  ['0123456789', 'NGN'],
  ['0123456789', 'USD'],
  ['0123456789', null],
  ['0123456789', '__proto__'],
  ['0123456789', 'constructor'],
  ['012345678', 'KES'],
  ['01234567890', 'KES'],
  ['233241234567', 'KES'],
  ['+233241234567', 'KES'],
  ['25471234567x', 'KES'],
  ['+2547123', 'KES'],
  ['', 'KES'],
  ['٠٧١٢٣٤٥٦٧٨', 'KES'],
])('account %j in %s stays as it came', (account, currency) => {
  expect(canonicalAccount(account, currency)).toBe(account);
});

test('every field is read under the name that the service gives it', () => {
  const body = {
    amount: '10',
    currency: 'NGN',
    bank_code: '058',
    account_number: '0123456789',
    wallet_code: 'W-1',
    fee: '1',
    stamp_duty: '50',
    bank_name: 'First',
    account_name: 'Ada',
    narration: 'Wages',
    sessionid: 'S1',
    created_at: '2026-07-01T10:00:00Z',
    paid_at: '2026-07-01T10:00:01Z',
    updated_at: '2026-07-01T10:00:02Z',
  };
  const { facts, details, times } = statedBy('payout', body);
  expect({ ...facts, ...details }).toEqual({
    amount: parseAmount('10'),
    currency: 'NGN',
    bankCode: '058',
    accountNumber: '0123456789',
    walletCode: 'W-1',
    fee: parseAmount('1'),
    stampDuty: parseAmount('50'),
    bankName: 'First',
    accountName: 'Ada',
    narration: 'Wages',
    sessionId: 'S1',
  });
  expect(Object.entries(times).map(([name, time]) => [name, time?.utc])).toEqual([
    ['createdAt', body.created_at],
    ['paidAt', body.paid_at],
    ['updatedAt', body.updated_at],
  ]);
});
