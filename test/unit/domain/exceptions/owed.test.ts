import { expect, test } from 'vitest';
import { owedOf } from '../../../../src/domain/exceptions/owed.ts';
import { formatAmount } from '../../../../src/domain/money/amount.ts';

test.each([
  ['fee_mismatch', '1.50', '-1.25', '1.50'],
  ['duty_mismatch', '-1.50', '1.25', '-1.50'],
  ['tax_mismatch', '0.07', '-0.05', '0.07'],
  ['amount_mismatch', '-1.50', '-1.25', '1.25'],
  ['missing_external', null, '-98.00', '98.00'],
  ['fee_mismatch', null, '-2.00', '2.00'],
  ['duplicate_external', '98.00', '98.00', '-98.00'],
  ['status_mismatch', null, '0.00', '0.00'],
])('by %s of variance %s and effect %s the service owes %s', (code, variance, effect, owed) => {
  expect(formatAmount(owedOf({ code, variance, effect }))).toBe(owed);
});
