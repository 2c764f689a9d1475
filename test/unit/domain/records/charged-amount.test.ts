import { expect, test } from 'vitest';
import { parseAmount } from '../../../../src/domain/money/amount.ts';
import { type Charge, chargeOf, isUnderpaid, underpaidText } from '../../../../src/domain/records/charged-amount.ts';

function charge(amount: string, fees: string | null): Charge {
  const found = chargeOf({ amount: parseAmount(amount), fees: fees === null ? null : parseAmount(fees) });
  if (found === null) throw new Error('no charge');
  return found;
}

// 40.00 were requested.
test.each<[amount: string, fees: string | null, underpaid: boolean, what: string]>([
  ['40.00', null, false, 'the whole amount'],
  ['41.20', '1.20', false, 'the fee on top'],
  ['38.80', '1.20', false, 'the fee taken off'],
  ['38.80', null, true, 'the fee taken off, and not stated'],
  ['38.79', '1.20', true, 'a minor unit less'],
  ['39.80', '0.19836', false, 'a fee with more decimals, rounded'],
  ['39.99', '0.00', true, 'a minor unit less without a fee'],
  ['0.40', '0.00', true, 'a small part'],
  ['0.40', '39.60', true, 'a fee that cannot be right'],
  ['0.40', '-39.60', true, 'a negative fee'],
  ['80.00', '39.00', false, 'more than requested'],
])('%s charged with fees of %s: underpaid %s (%s)', (amount, fees, underpaid) => {
  expect(isUnderpaid(charge(amount, fees), parseAmount('40.00'))).toBe(underpaid);
});

test('the text has both amounts and the fee', () => {
  const text = (amount: string, fees: string | null) => underpaidText(charge(amount, fees), parseAmount('40.00'));
  expect(text('0.40', '0')).toBe('40.00 requested, 0.40 charged (fees 0.00)');
  expect(text('0.40', null)).toBe('40.00 requested, 0.40 charged (no fees stated)');
  expect(text('0.40', '39.6')).toBe('40.00 requested, 0.40 charged (fees 39.60, which cannot be right)');
});
