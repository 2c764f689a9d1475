import { expect, it } from 'vitest';
import { amountNumber, amountText, dayText } from '../../../../src/sandbox/statements/cells.ts';
import { dayAfter } from '../../../../src/sandbox/statements/days.ts';
import { money } from '../../../../src/sandbox/world/money.ts';

const form = { decimal: '.', group: '', unit: 'major', negative: 'minus' } as const;

it.each([
  ['1234567.80', form, '1234567.80'],
  ['-0.05', form, '-0.05'],
  ['0.00', { ...form, negative: 'parentheses' }, '0.00'],
  ['-1234567.80', { ...form, decimal: ',', group: '.' }, '-1.234.567,80'],
  ['-999.99', { ...form, group: ',', negative: 'parentheses' }, '(999.99)'],
  ['-1000.00', { ...form, group: ',', negative: 'parentheses' }, '(1,000.00)'],
  ['-1000.00', { ...form, group: '\u00a0', decimal: ',', negative: 'trailing' }, '1\u00a0000,00-'],
  ['-12.5', { ...form, unit: 'minor' }, '-1250'],
  ['90071992547409.93', { ...form, unit: 'minor' }, '9007199254740993'],
  ['0.19836', form, '0.19836'],
] as const)('%s under %j is %s', (amount, number, text) => {
  expect(amountText(money(amount), number)).toBe(text);
});

it('a spreadsheet gets only what its 15 digits hold', () => {
  expect(amountNumber(money('-9999999999999.99'))).toBe(-9999999999999.99);
  expect(amountNumber(money('0.05'))).toBe(0.05);
  expect(() => amountNumber(money('90071992547409.93'))).toThrow('15 digits');
});

it.each([
  ['yyyy-MM-dd', '2026-03-09'],
  ['yyyyMMdd', '20260309'],
  ['dd/MM/yyyy', '09/03/2026'],
  ['dd-MMM-yyyy', '09-Mar-2026'],
  ['MM/dd/yyyy', '03/09/2026'],
] as const)('a day as %s', (dateForm, text) => {
  expect(dayText('2026-03-09', dateForm)).toBe(text);
});

it('days follow each other over the ends of months and years', () => {
  expect([dayAfter('2026-02-27', 2), dayAfter('2027-12-31', 1), dayAfter('2028-02-28', 1)]).toEqual([
    '2026-03-01',
    '2028-01-01',
    '2028-02-29',
  ]);
});
