import { describe, expect, test } from 'vitest';
import { PRINCIPAL_TYPE } from '../../../../src/domain/matching/rows.ts';
import { sumsOf } from '../../../../src/domain/matching/sums.ts';
import { OUR_KINDS } from '../../../../src/domain/reconciling/rules.ts';
import { LINE_TYPES } from '../../../../src/domain/statements/lines.ts';
import { theirLine } from '../../../support/matching/groups.ts';

test.each(OUR_KINDS)('of a %s only lines of its own type are the amount', (kind) => {
  const lines = LINE_TYPES.map((type, index) => theirLine(type, '1.00', { row: index }));
  const own = { collection: 'collection', refund: 'refund', payout: 'payout', batch: 'settlement', top_up: 'top_up' }[
    kind
  ];
  expect(sumsOf(kind, lines).principalLines.map(({ type }) => type)).toEqual([own]);
  expect(PRINCIPAL_TYPE[kind]).toBe(own);
});

describe('the lines of one group', () => {
  const lines = [
    theirLine('refund', '-102.15', { row: 2, fee: '2.00', tax: '0.15' }),
    theirLine('fee', '-0.50', { row: 3 }),
    theirLine('duty', '-50.00', { row: 4 }),
    theirLine('payout_reversal', '30.00', { row: 5 }),
    theirLine('collection_reversal', '-1.00', { row: 6 }),
    theirLine('reserve', '-20.00', { row: 7 }),
    theirLine('release', '5.00', { row: 8 }),
  ];
  const sums = sumsOf('refund', lines);

  test('are the amount before charges, and what the row’s own lines move with them', () => {
    expect([sums.principal, sums.net]).toEqual([-10_000n, -15_265n]);
    expect(sums.ownLines.map(({ row }) => row)).toEqual([2, 3, 4]);
  });

  test('have each charge as columns and lines of its own together, positive when charged', () => {
    expect([sums.fee, sums.tax, sums.duty]).toEqual([250n, 15n, 5_000n]);
  });

  test('move back what is reversed, and hold what is reserved and not released', () => {
    expect([sums.reversal, sums.held]).toEqual([2_900n, 1_500n]);
    expect(sums.reversalLines.map(({ row }) => row)).toEqual([5, 6]);
    expect(sums.reserveLines.map(({ row }) => row)).toEqual([7, 8]);
  });
});

test('a line that is no charge moves the amount, whatever its type', () => {
  const { principal, principalLines } = sumsOf('payout', [
    theirLine('payout', '-100.00', { row: 2 }),
    theirLine('adjustment', '5.00', { row: 3 }),
    theirLine('reserve', '-1.00', { row: 4 }),
  ]);
  expect([principal, principalLines.map(({ row }) => row)]).toEqual([-9_600n, [2]]);
});

test('the charges of a reversal or a reserve are none of the row', () => {
  const sums = sumsOf('refund', [
    theirLine('payout_reversal', '30.00', { fee: '2.00' }),
    theirLine('reserve', '-1.00', { fee: '1.00' }),
  ]);
  expect([sums.fee, sums.tax, sums.duty, sums.saysCharges]).toEqual([null, null, null, false]);
});

test('a line of a charge with a column of the same charge has it once', () => {
  const sums = sumsOf('payout', [theirLine('fee', '-2.15', { fee: '2.00' })]);
  expect([sums.fee, sums.tax]).toEqual([215n, null]);
  const taxed = sumsOf('payout', [theirLine('fee', '-2.15', { tax: '0.15' })]);
  expect([taxed.fee, taxed.tax]).toEqual([200n, 15n]);
  const dutied = sumsOf('payout', [theirLine('fee', '-2.15', { duty: '0.05' })]);
  expect([dutied.fee, dutied.duty]).toEqual([210n, 5n]);
});

test.each([
  [{}, false],
  [{ fee: '0.00' }, true],
  [{ tax: '0.00' }, true],
  [{ duty: '0.00' }, true],
  [{ principal: '100.00' }, true],
  [{ principal: '98.00' }, false],
])('a line of 98.00 with %j tells its charges from its amount: %s', (parts, says) => {
  for (const amount of ['98.00', '-98.00']) {
    expect(sumsOf('collection', [theirLine('collection', amount, { principal: '98.00', ...parts })]).saysCharges).toBe(
      says,
    );
  }
});

test('without lines everything is zero or not said', () => {
  expect(sumsOf('payout', [])).toEqual({
    ...{ principal: 0n, principalLines: [], ownLines: [], net: 0n, fee: null, tax: null, duty: null },
    ...{ saysCharges: false, reversal: 0n, reversalLines: [], held: 0n, reserveLines: [] },
  });
});
