import { expect, test } from 'vitest';
import { canonicalAccount } from '../../../src/domain/payout.ts';

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
