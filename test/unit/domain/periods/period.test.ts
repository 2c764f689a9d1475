import { describe, expect, test } from 'vitest';
import { hasAccount, overlaps, periodOf } from '../../../../src/domain/periods/period.ts';

describe('a period is named by', () => {
  test.each([
    ['2026-10', '2026-10', '2026-10-01', '2026-10-31'],
    ['2028-02', '2028-02', '2028-02-01', '2028-02-29'],
    ['2026-10-05..2026-10-11', '2026-10-05..2026-10-11', '2026-10-05', '2026-10-11'],
    ['2026-10-05..2026-10-05', '2026-10-05..2026-10-05', '2026-10-05', '2026-10-05'],
    ['2026-12-15..2027-01-14', '2026-12-15..2027-01-14', '2026-12-15', '2027-01-14'],
    // One period has one name.
    ['2026-10-01..2026-10-31', '2026-10', '2026-10-01', '2026-10-31'],
  ])('%s', (text, name, from, to) => {
    expect(periodOf(text)).toEqual({ name, from, to });
  });

  test.each([
    '',
    '2026',
    '2026-13',
    '2026-1',
    '2026-10-01',
    '2026-10-31..2026-10-01',
    '2026-02-30..2026-03-01',
    '2026-10..2026-11',
    'live',
  ])('not by %j', (text) => {
    expect(periodOf(text)).toBeNull();
  });
});

test.each([
  ['2026-10', '2026-11', false],
  ['2026-10', '2026-10-31..2026-11-02', true],
  ['2026-10-01..2026-10-15', '2026-10-16..2026-10-31', false],
  ['2026-10', '2026-10-10..2026-10-10', true],
])('%s and %s share a day: %s', (one, other, expected) => {
  const [first, second] = [periodOf(one), periodOf(other)];
  if (first === null || second === null) throw new Error('no period');
  expect([overlaps(first, second), overlaps(second, first)]).toEqual([expected, expected]);
});

test('a set has its accounts, and what stands in none', () => {
  expect(hasAccount({ accounts: null }, 'wallet')).toBe(true);
  expect(hasAccount({ accounts: ['bank'] }, 'wallet')).toBe(false);
  expect(hasAccount({ accounts: ['bank'] }, 'bank')).toBe(true);
  expect(hasAccount({ accounts: ['bank'] }, null)).toBe(true);
});
