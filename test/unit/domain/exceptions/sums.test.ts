import { expect, test } from 'vitest';
import { ExceptionSums, type SummedException } from '../../../../src/domain/exceptions/sums.ts';

const NONE: SummedException = { currency: 'NGN', ours: null, theirs: null, variance: null, effect: null };

function totals(...exceptions: Partial<SummedException>[]) {
  const sums = new ExceptionSums();
  for (const one of exceptions) sums.add({ ...NONE, ...one });
  return sums.totals();
}
const effectOf = (...values: string[]) => totals(...values.map((effect) => ({ effect })))[0]?.effect;

test('there is one row for each currency, in their order, without a currency first', () => {
  const rows = totals({ currency: 'USD' }, { currency: 'KES' }, { currency: null }, { currency: 'NGN' }, {});
  expect(rows.map(({ currency, count }) => [currency, count])).toEqual([
    [null, 1],
    ['KES', 1],
    ['NGN', 2],
    ['USD', 1],
  ]);
});

test('our value, theirs, the variance and the effect are each added up', () => {
  const rows = totals(
    { ours: '100.00', theirs: '98.50', variance: '-1.50', effect: '-1.25' },
    { ours: '0.10', theirs: '0.20', variance: '0.10', effect: '0.05' },
  );
  expect(rows).toEqual([
    { currency: 'NGN', count: 2, ours: '100.10', theirs: '98.70', variance: '-1.40', effect: '-1.20' },
  ]);
});

test('without any amount a sum is zero', () => {
  expect(totals({})).toEqual([
    { currency: 'NGN', count: 1, ours: '0.00', theirs: '0.00', variance: '0.00', effect: '0.00' },
  ]);
});

test.each(['7', 'success', 'NGN', '1.5', '1.123456789', '1234567890123456789.00', '1.00 NGN', 'x1.00', ''])(
  'a value that is no amount is not added: %j',
  (value) => expect(totals({ ours: value, theirs: '1.00' })).toMatchObject([{ ours: '0.00', theirs: '1.00' }]),
);

test('amounts of any length and number of decimals add up exactly', () => {
  expect(effectOf('0.125', '0.875', '-0.50')).toBe('0.50');
  expect(effectOf('0.00000001', '1.00')).toBe('1.00000001');
  expect(effectOf('999999999999999999.99', '0.01')).toBe('1000000000000000000.00');
  expect(effectOf('-123456789012.34', '0.34')).toBe('-123456789012.00');
  expect(effectOf('1.2345', '1234567.123')).toBe('1234568.3575');
});

test('more amounts than a float adds exactly still add up exactly, in both directions', () => {
  const many = (sign: string) => Array.from({ length: 1_500 }, () => `${sign}99999999999.99`);
  expect(effectOf(...many(''))).toBe('149999999999985.00');
  expect(effectOf(...many('-'))).toBe('-149999999999985.00');
});

test('the totals may be asked for again, also after more was added', () => {
  const sums = new ExceptionSums();
  sums.add({ ...NONE, effect: '1.00' });
  expect(sums.totals()).toEqual(sums.totals());
  sums.add({ ...NONE, effect: '2.00' });
  expect(sums.totals()).toMatchObject([{ count: 2, effect: '3.00' }]);
});
