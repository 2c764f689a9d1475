import { expect, test } from 'vitest';
import { dueByExpectation, trackEffect } from '../../../../src/domain/expectations/expectation-change.ts';
import { parseAmount } from '../../../../src/domain/money/amount.ts';

const expected = { amount: parseAmount('10.00'), currency: 'USD', expectedByMs: 900 };

test.each([
  ['not tracked before', null, 'new'],
  ['tracked with the same', expected, 'same'],
  ['tracked with an equal amount in other digits', { ...expected, amount: parseAmount('10') }, 'same'],
  ['tracked with another amount', { ...expected, amount: parseAmount('10.01') }, 'changed'],
  ['tracked without an amount', { ...expected, amount: null }, 'changed'],
  ['tracked in another currency', { ...expected, currency: 'NGN' }, 'changed'],
  ['tracked for another date', { ...expected, expectedByMs: null }, 'changed'],
])('a reference %s is %s', (_, before, effect) => {
  expect(trackEffect(before, expected)).toBe(effect);
});

test('two expectations of any amount are the same', () => {
  expect(trackEffect({ ...expected, amount: null }, { ...expected, amount: null })).toBe('same');
  expect(trackEffect(expected, { ...expected, amount: null })).toBe('changed');
});

test.each([
  ['without a status is due now', null, null, 500],
  ['that is due later is due now', 'processing', 900, 500],
  ['that is due already stays so', 'processing', 100, 100],
  ['that is settled is as due as before', 'success', 900, 900],
  ['that is settled and not due stays so', 'success', null, null],
])('a record %s', (_, confirmed, dueAtMs, due) => {
  expect(dueByExpectation('refund', { confirmed, dueAtMs }, 500)).toBe(due);
});

test('what is settled depends on the kind', () => {
  const record = { confirmed: 'failed', dueAtMs: null };
  expect([dueByExpectation('refund', record, 500), dueByExpectation('payout', record, 500)]).toEqual([500, null]);
});
