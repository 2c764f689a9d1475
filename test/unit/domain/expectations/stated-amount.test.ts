import { describe, expect, test } from 'vitest';
import { statedAmount } from '../../../../src/domain/expectations/stated-amount.ts';
import { parseAmount } from '../../../../src/domain/money/amount.ts';

const of = (text: string) => parseAmount(text);
const EXPECTED = { amount: of('10.00'), currency: 'NGN' };
const NOTHING = { amount: null, currency: null };
const stated = (fields: Record<string, string>, currency: string | null, ...unreadable: string[]) => {
  const { requestedAmount = null, ...details } = Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, of(text)]),
  );
  return { facts: { requestedAmount, currency }, details, unreadable };
};

describe('the amount to be paid that an answer about a collection states', () => {
  test.each([
    ['the requested one', stated({ requestedAmount: '9', amount: '10' }, 'NGN'), EXPECTED, '9', true],
    [
      '… and a smaller charge',
      stated({ requestedAmount: '10', amount: '0.1', fees: '0' }, 'NGN'),
      EXPECTED,
      '10',
      false,
    ],
    [
      '… and the charge without its fee',
      stated({ requestedAmount: '10', amount: '9.9', fees: '0.1' }, 'NGN'),
      EXPECTED,
      '10',
      true,
    ],
    ['the charged one, where it is expected', stated({ amount: '10' }, 'NGN'), EXPECTED, '10', true],
    ['… with its fees', stated({ amount: '10.12', fees: '0.12' }, 'NGN'), EXPECTED, '10', true],
    ['… without a fee', stated({ amount: '10', fees: '0' }, 'NGN'), EXPECTED, '10', true],
    ['… with a fee of nearly half of it', stated({ amount: '19.99', fees: '9.99' }, 'NGN'), EXPECTED, '10', true],
    ['… with a fee of half of it: none', stated({ amount: '20', fees: '10' }, 'NGN'), EXPECTED, null, false],
    ['… with a large fee: none', stated({ amount: '110', fees: '100' }, 'NGN'), EXPECTED, null, false],
    ['… with a negative fee: none', stated({ amount: '0.50', fees: '-9.50' }, 'NGN'), EXPECTED, null, false],
    ['a charged one that is not expected: none', stated({ amount: '10.12' }, 'NGN'), EXPECTED, null, false],
    ['a charged one, where any is expected', stated({ amount: '10.12' }, 'NGN'), NOTHING, null, true],
    [
      'an unreadable one beside the charged one',
      stated({ amount: '10' }, 'NGN', 'requestedAmount'),
      EXPECTED,
      null,
      false,
    ],
    ['none at all', stated({}, 'NGN'), NOTHING, null, false],
    ['one without a currency', stated({ requestedAmount: '10' }, null), EXPECTED, '10', false],
  ])('%s', (_, answer, expected, amount, complete) => {
    const stated = statedAmount('collection', answer, expected);
    expect([stated.amount, stated.complete]).toEqual([amount === null ? null : of(amount), complete]);
  });
});

test('a refund states its amount alone: fees and charged amounts are no substitute', () => {
  const answer = { facts: { amount: null, currency: 'USD' }, details: { amount: of('10') }, unreadable: [] };
  expect(statedAmount('refund', answer, EXPECTED)).toEqual({ amount: null, currency: 'USD', complete: false });
});
