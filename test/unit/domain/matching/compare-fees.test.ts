import { describe, expect, test } from 'vitest';
import { chargeDiffers, compareFees } from '../../../../src/domain/matching/compare.ts';
import { sumsOf } from '../../../../src/domain/matching/sums.ts';
import type { Terms } from '../../../../src/domain/matching/terms.ts';
import { type LineParts, minor, octoberTerms, ourRow, said, theirLine } from '../../../support/matching/groups.ts';

/** Of a collection of 100.00: our fees, the columns of its line, and what is made of them. */
const compared = (fees: string | null, columns: LineParts, more: Partial<Terms> = {}) => {
  const row = ourRow('collection', 'success', { amount: '100.00', ...(fees !== null && { fees }) });
  const outcome = compareFees(
    row,
    sumsOf('collection', [theirLine('collection', '98.00', columns)]),
    octoberTerms(more),
  );
  return { said: outcome.verdicts.map(said), fee: outcome.fee, tax: outcome.tax };
};
const tolerances = (fee: bigint, tax: bigint) => ({
  compare: { fee: { minor: fee }, tax: { minor: tax }, duty: { minor: 0n } },
});
/** The tax of every fee is 0.15. */
const scheduled = { taxOn: () => 15n };

describe('what only one side says is not compared', () => {
  test.each([
    ['the file says neither fee nor tax', '2.00', {}, 0n, 0n],
    ['we know no fees', null, { fee: '2.00', tax: '0.15' }, 200n, 15n],
    ['we know no fees, and the file says no tax', null, { fee: '2.00' }, 200n, 0n],
    ['we know no fees, and the file says no fee', null, { tax: '0.15' }, 0n, 15n],
  ])('%s', (_, fees, columns, fee, tax) => {
    expect(compared(fees, columns, scheduled)).toEqual({ said: [], fee, tax });
  });
});

describe('our fees are fee and tax together', () => {
  test.each([
    ['2.15', { fee: '2.00', tax: '0.15' }, 200n, 15n],
    ['2.15', { fee: '1.00', tax: '1.15' }, 100n, 115n],
    ['2.15', { fee: '2.15' }, 215n, 0n],
    ['2.15', { tax: '2.15' }, 0n, 215n],
  ])('%s agrees with %j, whatever the schedule says', (fees, columns, fee, tax) => {
    expect(compared(fees, columns, scheduled)).toEqual({ said: [], fee, tax });
  });

  test.each([
    ['2.20', []],
    ['2.10', []],
    ['2.21', ['fee_mismatch 2.15 2.21 -0.06']],
    ['2.09', ['fee_mismatch 2.15 2.09 0.06']],
  ])('2.15 with a tolerance of 0.05, and %s in the file', (fee, verdicts) => {
    const outcome = compared('2.15', { fee }, tolerances(5n, 0n));
    // A fee that differs is by us as we know it; one that does not is by us as it is by them.
    expect(outcome).toEqual({ said: verdicts, fee: verdicts.length > 0 ? 215n : minor(fee), tax: 0n });
  });
});

describe('the tolerance of one charge says nothing about the other', () => {
  const tooMuchTax = { fee: '2.00', tax: '1.15' };
  const opposite = { fee: '12.75', tax: '-0.60' };

  test.each([
    ['that of the fee hides no tax', tooMuchTax, tolerances(100n, 0n), ['tax_mismatch 0.15 1.15 -1.00'], 200n, 15n],
    ['a tax within its own is no fee that differs', tooMuchTax, tolerances(0n, 100n), [], 200n, 115n],
    ['and one beyond it is', tooMuchTax, tolerances(0n, 99n), ['tax_mismatch 0.15 1.15 -1.00'], 200n, 15n],
    [
      'a tax too low hides no fee too high',
      opposite,
      tolerances(1074n, 75n),
      ['fee_mismatch 2.15 12.90 -10.75'],
      200n,
      -60n,
    ],
    [
      'a fee within its own hides no tax',
      opposite,
      tolerances(1075n, 74n),
      ['tax_mismatch 0.15 -0.60 0.75'],
      1275n,
      15n,
    ],
    ['each within its own is no break', opposite, tolerances(1075n, 75n), [], 1275n, -60n],
  ])('%s', (_, columns, more, verdicts, fee, tax) => {
    expect(compared('2.15', columns, { ...scheduled, ...more })).toEqual({ said: verdicts, fee, tax });
  });
});

describe('where fee and tax together differ, the schedule judges the tax', () => {
  test('and the fee differs by the rest', () => {
    const both = compared('2.15', { fee: '3.00', tax: '0.30' }, scheduled);
    expect(both).toEqual({
      said: ['tax_mismatch 0.15 0.30 -0.15', 'fee_mismatch 2.15 3.15 -1.00'],
      fee: 200n,
      tax: 15n,
    });
    const less = compared('2.15', { fee: '1.00', tax: '0.05' }, scheduled);
    expect(less).toEqual({ said: ['tax_mismatch 0.15 0.05 0.10', 'fee_mismatch 2.15 1.15 1.00'], fee: 200n, tax: 15n });
  });

  test('a tax that is all of the difference leaves no fee that differs', () => {
    expect(compared('2.15', { fee: '2.00', tax: '0.20' }, scheduled)).toEqual({
      said: ['tax_mismatch 0.15 0.20 -0.05'],
      fee: 200n,
      tax: 15n,
    });
  });

  test('a rest within the tolerance of the fee is no fee that differs, at the tolerance and below it', () => {
    const rest = (fee: string) => compared('2.15', { fee, tax: '0.30' }, { ...scheduled, ...tolerances(5n, 0n) });
    expect(rest('2.05')).toEqual({ said: ['tax_mismatch 0.15 0.30 -0.15'], fee: 205n, tax: 15n });
    expect(rest('2.06').said).toEqual(['tax_mismatch 0.15 0.30 -0.15', 'fee_mismatch 2.15 2.21 -0.06']);
  });

  test('a tax within its own tolerance is by us as it is by them, and no part of the difference of the fee', () => {
    const judged = (tax: string) => compared('2.15', { fee: '3.00', tax }, { ...scheduled, ...tolerances(0n, 5n) });
    expect(judged('0.20')).toEqual({ said: ['fee_mismatch 2.15 3.15 -1.00'], fee: 200n, tax: 20n });
    expect(judged('0.10')).toEqual({ said: ['fee_mismatch 2.15 3.15 -1.00'], fee: 200n, tax: 10n });
    expect(judged('0.21').said).toEqual(['tax_mismatch 0.15 0.21 -0.06', 'fee_mismatch 2.15 3.15 -1.00']);
  });

  test('the schedule is asked about the fee of the file, and not where the file says no tax', () => {
    const asked: bigint[] = [];
    const taxOn: Terms['taxOn'] = (_, fee) => {
      asked.push(fee);
      return 15n;
    };
    expect(compared('2.15', { fee: '3.00' }, { taxOn }).said).toEqual(['fee_mismatch 2.15 3.00 -0.85']);
    expect(asked).toEqual([]);
    compared('2.15', { fee: '3.00', tax: '0.15' }, { taxOn });
    expect(asked).toEqual([300n]);
  });

  test('without a schedule the fee has all of the difference', () => {
    expect(compared('2.15', { fee: '2.00', tax: '0.30' })).toEqual({
      said: ['fee_mismatch 2.15 2.30 -0.15'],
      fee: 185n,
      tax: 30n,
    });
  });
});

test.each([
  ['fee_mismatch', 'fee'],
  ['tax_mismatch', 'tax'],
  ['duty_mismatch', 'duty'],
] as const)('%s is a break of the %s, with the line of the amount', (code, field) => {
  const lines = [theirLine('fee', '-1.00', { row: 2 }), theirLine('collection', '98.00', { row: 3 })];
  const verdict = chargeDiffers(code, 200n, 300n, sumsOf('collection', lines));
  expect(said(verdict)).toBe(`${code} 2.00 3.00 -1.00`);
  expect(verdict).toMatchObject({ field, side: 'ours', line: lines[1] });
  expect(chargeDiffers(code, 200n, 300n, sumsOf('collection', lines.slice(0, 1))).line).toBeNull();
});
