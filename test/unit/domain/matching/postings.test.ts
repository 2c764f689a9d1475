import { describe, expect, test } from 'vitest';
import { charged, feeRow, linePostings, type Posting, sumUntil } from '../../../../src/domain/matching/postings.ts';
import { OUR_KINDS } from '../../../../src/domain/reconciling/rules.ts';
import { LINE_TYPES, type LineType, PROOF_ROWS } from '../../../../src/domain/statements/lines.ts';
import { theirLine } from '../../../support/matching/groups.ts';

const DAY = '2026-10-10';
/** `ROW MINOR`, and what it reverses. */
const shown = ({ row, minor, reverses }: Posting) =>
  `${row} ${minor}${reverses === undefined ? '' : ` of ${reverses}`}`;

const ROWS: Readonly<Record<LineType, string>> = {
  ...{ collection: 'collections 100', collection_reversal: 'reversals 100 of collection', refund: 'refunds 100' },
  ...{ reserve: 'reserves 100', release: 'reserves 100', payout: 'payouts 100' },
  ...{ payout_reversal: 'reversals 100 of payout', fee: 'fees 100', tax: 'tax 100', duty: 'duty 100' },
  ...{ chargeback: 'chargebacks 100', chargeback_reversal: 'chargebacks 100', settlement: 'settlements 100' },
  ...{ top_up: 'top_ups 100', transfer: 'other 100', conversion: 'other 100', adjustment: 'adjustments 100' },
  ...{ refund_reversal: 'refunds 100', other: 'other 100' },
};

test.each(LINE_TYPES)('a line of %s stands in one row of the proof, on its day', (type) => {
  const postings = linePostings(theirLine(type, '1.00'), null);
  expect(postings.map(shown)).toEqual([ROWS[type]]);
  expect(postings.map(({ day }) => day)).toEqual([DAY]);
});

test('the proof has each row in which a line or its fee may stand, and no other', () => {
  const rows = LINE_TYPES.flatMap((type) => linePostings(theirLine(type, '1.00', { fee: '1.00' }), null)).map(
    ({ row }) => row,
  );
  expect(PROOF_ROWS.toSorted()).toEqual([...new Set([...rows])].toSorted());
});

describe('the charges of a line', () => {
  test('stand in rows of their own, and all of it adds up to what the line moves', () => {
    const line = theirLine('payout', '-102.20', { fee: '2.00', tax: '0.15', duty: '0.05' });
    const postings = linePostings(line, 'payout');
    expect(postings.map(shown)).toEqual(['payouts -10000', 'fees -200', 'tax -15', 'duty -5']);
    expect(sumUntil(postings, DAY)).toBe(line.amount);
    expect(new Set(postings.map(({ day }) => day))).toEqual(new Set([DAY]));
  });

  test('that are zero stand in none', () => {
    const line = theirLine('collection', '100.00', { fee: '0.00', tax: '0.00', duty: '0.00' });
    expect(linePostings(line, 'collection').map(shown)).toEqual(['collections 10000']);
  });

  test('that are given back add to the balance', () => {
    const line = theirLine('collection_reversal', '-98.00', { fee: '-2.00' });
    expect(linePostings(line, 'collection').map(shown)).toEqual(['reversals -10000 of collection', 'fees 200']);
  });

  test.each([
    ['refund', 'refund', 'refund_fees'],
    ['refund', null, 'refund_fees'],
    ['payout', 'refund', 'refund_fees'],
    ['refund', 'payout', 'fees'],
    ['payout', null, 'fees'],
  ] as const)('a %s that belongs to a %s has its fee in %s', (type, kind, row) => {
    expect(linePostings(theirLine(type, '-1.10', { fee: '0.10' }), kind)[1]).toEqual({ row, day: DAY, minor: -10n });
  });

  test.each([
    ['refund', 'refund_fees -10'],
    ['payout', 'fees -10'],
    [null, 'fees -10'],
  ] as const)('a line that is a fee alone, of a %s: %s', (kind, expected) => {
    expect(linePostings(theirLine('fee', '-0.10'), kind).map(shown)).toEqual([expected]);
  });
});

describe('the postings of an amount of ours', () => {
  const money = { main: -100n, fee: 3n, tax: 2n, duty: 1n };
  const ROW_OF = {
    collection: 'collections',
    refund: 'refunds',
    payout: 'payouts',
    batch: 'settlements',
    top_up: 'top_ups',
  };

  test.each(OUR_KINDS)('of a %s: the amount in its row, charges as less', (kind) => {
    const postings = charged(kind, DAY, money);
    expect(postings.map(shown)).toEqual([
      `${ROW_OF[kind]} -100`,
      `${kind === 'refund' ? 'refund_fees' : 'fees'} -3`,
      'tax -2',
      'duty -1',
    ]);
    expect(new Set(postings.map(({ day }) => day))).toEqual(new Set([DAY]));
  });

  test('those of zero, and those that were not given, are left out', () => {
    expect(charged('payout', DAY, { main: -100n }).map(shown)).toEqual(['payouts -100']);
    expect(charged('payout', DAY, { main: 0n, fee: 0n, tax: 0n, duty: 0n })).toEqual([]);
  });
});

test.each(['payout', 'collection', 'batch', 'other', 'fee'] as const)(
  'the fee of a %s is no fee of a refund',
  (kind) => {
    expect([feeRow(kind), feeRow('refund')]).toEqual(['fees', 'refund_fees']);
  },
);

test('postings are added up to the last day, that day included', () => {
  const on = (day: string, minor: bigint): Posting => ({ row: 'other', day, minor });
  const all = [on('2026-10-09', 1n), on('2026-10-10', 10n), on('2026-10-11', 100n)];
  expect(['2026-10-08', '2026-10-09', '2026-10-10', '2026-10-31'].map((last) => sumUntil(all, last))).toEqual([
    0n,
    1n,
    11n,
    111n,
  ]);
});
