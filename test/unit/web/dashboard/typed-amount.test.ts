import { expect, test } from 'vitest';
import { formatAmount } from '../../../../src/domain/money/amount.ts';
import { typedAmount } from '../../../../src/web/dashboard/typed-amount.ts';

function read(text: string) {
  const { amount, ...others } = typedAmount(text) ?? {};
  return { amount: amount && formatAmount(amount), ...others };
}

test.each([...['40', '-40', '\u221240.00', '40,00', '+40.0']])('%s is 40.00 of any currency', (text) => {
  expect(read(text)).toEqual({ amount: '40.00' });
});

const DOLLARS = { currencies: expect.arrayContaining(['USD', 'CAD']) };

test.each([
  ...['$40', '- $40', '40 dollars', '40$'].map((text) => [text, DOLLARS] as const),
  ...['€40', '40€', '40 euros'].map((text) => [text, { currency: 'EUR' }] as const),
  ...['₦40', '40 naira'].map((text) => [text, { currency: 'NGN' }] as const),
])('%s is 40.00 of the currencies of that name', (text, of) => {
  const found = read(text);
  expect(found).toEqual({ amount: '40.00', ...of });
  expect('currencies' in found && (found.currencies as string[]).includes('NGN')).toBe(false);
});

test.each([...['NGN 12,154.80', 'ngn12,154.80', '\u221212154,8 ngn', '12,154.80NGN', 'NGN\u00a012154.80']])(
  '%s is 12154.80 NGN',
  (text) => {
    expect(read(text)).toEqual({ amount: '12154.80', currency: 'NGN' });
  },
);

test.each([
  ['refund 40', {}],
  ['Refunds: $40', DOLLARS],
  ['a customer says the refund of 40 dollars never came.', DOLLARS],
])('%s is 40.00 among refunds', (text, of) => {
  expect(read(text)).toEqual({ amount: '40.00', kind: 'refund', ...of });
});

test.each([
  ['1,234', { amount: '1234.00' }],
  ['1,234,567.5', { amount: '1234567.50' }],
  ['payment of NGN 40, asked for on day 3', { amount: '40.00', currency: 'NGN', kind: 'collection' }],
  ['payouts of -40 kes', { amount: '40.00', currency: 'KES', kind: 'payout' }],
])('%s is %o', (text, amount) => {
  expect(read(text)).toEqual(amount);
});

test.each([
  ...['TX_81', 'REF40', '40REF', 'order 40', '40 or 50', '40 USD or 50 USD', 'refund or payout of 40', ''],
  ...['1.234', '1.234,50', '12,34.50', '1234,567', '0.125', '12 154.80', '9999999999999999', 'forty dollars'],
])('%s is no amount, or may be more than one', (text) => {
  expect(typedAmount(text)).toBeNull();
});
