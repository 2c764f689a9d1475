import { describe, expect, test } from 'vitest';
import { compareMoney } from '../../../../src/domain/matching/compare.ts';
import type { Posting } from '../../../../src/domain/matching/postings.ts';
import type { OurRow, TheirLine } from '../../../../src/domain/matching/rows.ts';
import { sumsOf } from '../../../../src/domain/matching/sums.ts';
import type { Terms } from '../../../../src/domain/matching/terms.ts';
import { minor, octoberTerms, ourRow, said, theirLine } from '../../../support/matching/groups.ts';

const DAY = '2026-10-09';
const AS_IS = { goesOn: false, isOlder: false, instead: null } as const;
const compared = (row: OurRow, lines: readonly TheirLine[], more: Partial<Terms> = {}) => {
  const sums = sumsOf(row.kind, lines);
  const one = { row, sums, all: sums, standing: 'done', day: DAY, ...AS_IS, terms: octoberTerms(more) } as const;
  const { verdicts, ours, divided, absent } = compareMoney(one, DAY);
  return { said: verdicts.map(said), absent, verdicts, ours: ours.map(shown), divided: divided.map(shown) };
};
/** `ROW DAY MINOR` */
const shown = ({ row, day, minor: moved }: Posting) => `${row} ${day} ${moved}`;

describe('the direction', () => {
  test.each([
    ['collection', '-100.00', 'amount_mismatch 100.00 -100.00 -200.00', `collections ${DAY} 10000`],
    ['payout', '100.00', 'amount_mismatch 100.00 -100.00 200.00', `payouts ${DAY} -10000`],
    ['refund', '100.00', 'amount_mismatch 100.00 -100.00 200.00', `refunds ${DAY} -10000`],
  ] as const)('of a %s is its own: a line that moves %s is another amount', (kind, amount, expected, posting) => {
    const row = ourRow(kind, 'success', { amount: '100.00' });
    const { said: verdicts, ours } = compared(row, [theirLine(kind, amount)]);
    expect([verdicts, ours]).toEqual([[expected], [posting]]);
  });

  test.each([
    ['batch', 'settlement', 'settlements', 'split_incomplete'],
    ['top_up', 'top_up', 'top_ups', 'amount_mismatch'],
  ] as const)('of a %s is that of the account and of its own sum', (kind, type, name, code) => {
    for (const [account, own, right, wrong] of [
      [1n, 1n, '100.00', '-100.00'],
      [-1n, 1n, '-100.00', '100.00'],
      [1n, -1n, '-100.00', '100.00'],
      [-1n, -1n, '100.00', '-100.00'],
    ] as const) {
      const row = { ...ourRow(kind, 'success', { amount: '100.00' }), direction: own };
      const ours = [`${name} ${DAY} ${minor(right)}`];
      expect(compared(row, [theirLine(type, right)], { direction: account })).toMatchObject({ said: [], ours });
      const twice = wrong.replace('100', '200');
      expect(compared(row, [theirLine(type, wrong)], { direction: account })).toMatchObject({
        said: [`${code} ${right} ${wrong} ${twice}`],
        ours,
      });
      expect(compared(row, [theirLine('fee', '-1.00')], { direction: account }).ours).toContain(ours[0]);
    }
  });
});

describe('lines that are net of charges that only we know', () => {
  const line = (amount: string) => [theirLine('payout', amount)];

  test.each([
    [{ fees: '2.00' }, '-102.00'],
    [{ duty: '50.00' }, '-150.00'],
    [{ fees: '2.00', duty: '50.00' }, '-152.00'],
  ])('agree with the amount and %j as one sum, and divide as we divide it', (charges, amount) => {
    const row = ourRow('payout', 'success', { amount: '100.00', ...charges });
    const { said: verdicts, ours, divided } = compared(row, line(amount));
    expect(verdicts).toEqual([]);
    const parts = ['fees' in charges ? ['fees', -200] : [], 'duty' in charges ? ['duty', -5_000] : []].filter(
      (part) => part.length > 0,
    );
    expect(ours).toEqual([`payouts ${DAY} -10000`, ...parts.map(([name, minor]) => `${name} ${DAY} ${minor}`)]);
    const within = parts.reduce((sum, [, minor]) => sum - Number(minor), 0);
    // On the day of the line, whose posting it divides.
    expect(divided).toEqual([
      `payouts 2026-10-10 ${within}`,
      ...parts.map(([name, minor]) => `${name} 2026-10-10 ${minor}`),
    ]);
    expect(compared(row, line('-1.00')).said).toEqual([
      `amount_mismatch ${amount.slice(1)} 1.00 ${-1 - Number(amount)}.00`,
    ]);
  });

  test('charges alone without an amount are compared as parts', () => {
    const row = ourRow('payout', 'success', { fees: '2.00' });
    expect(compared(row, line('-102.00'))).toMatchObject({ said: [], ours: [`payouts ${DAY} -10200`], divided: [] });
  });

  test('without any line of its own all of it is absent', () => {
    const row = ourRow('payout', 'success', { amount: '100.00', fees: '2.00' });
    expect(compared(row, [])).toMatchObject({ said: [], absent: 10_200n, divided: [] });
  });

  test('a ledger is never net of them', () => {
    const row = ourRow('payout', 'success', { amount: '100.00', fees: '2.00' });
    expect(compared(row, line('-101.00'), { isLedger: true }).said).toEqual(['amount_mismatch 100.00 101.00 -1.00']);
  });
});

describe('an amount', () => {
  test('that differs is a break of the amount, with the first of its lines', () => {
    const row = ourRow('collection', 'success', { amount: '100.00' });
    const lines = [theirLine('fee', '-1.00', { row: 2 }), theirLine('collection', '98.00', { row: 3 })];
    const { said: verdicts, verdicts: all } = compared(row, lines);
    expect(verdicts).toEqual(['amount_mismatch 100.00 98.00 -2.00']);
    expect(all).toMatchObject([{ field: 'amount', side: 'ours', line: lines[1] }]);
  });

  test('of a batch that differs says that its children do not add up', () => {
    const row = ourRow('batch', 'success', { amount: '100.00' });
    expect(compared(row, [theirLine('settlement', '-98.00')]).said).toEqual(['split_incomplete 100.00 98.00 2.00']);
  });

  test('without a line of its own is no other amount', () => {
    const row = ourRow('collection', 'success', { amount: '100.00', fees: '1.00' });
    expect(compared(row, [theirLine('fee', '-1.00')])).toMatchObject({
      said: [],
      ours: [`collections ${DAY} 10000`, `fees ${DAY} -100`],
      divided: [],
    });
  });

  test('that we do not know is that of the lines', () => {
    const unknown = ourRow('payout', 'success', { duty: '50.00' });
    expect(compared(unknown, [theirLine('payout', '-102.00', { fee: '2.00' })])).toEqual({
      ...{ said: [], absent: 0n, verdicts: [], divided: [] },
      ours: [`payouts ${DAY} -10000`, `fees ${DAY} -200`],
    });
  });
});

describe('charges without a column of their own lie in the amount', () => {
  const payout = ourRow('payout', 'success', { amount: '100.00', fees: '2.00', duty: '50.00' });

  test.each([
    ['the duty, where the file has fees', { fee: '2.00' }, '-152.00', ['duty', -5_000]],
    ['the duty, where the file has tax', { tax: '2.00' }, '-152.00', ['duty', -5_000]],
    ['the fees, where the file has duty', { duty: '50.00' }, '-152.00', ['fees', -200]],
  ] as const)('%s', (_, columns, amount, [name, minor]) => {
    const { said: verdicts, ours, divided } = compared(payout, [theirLine('payout', amount, columns)]);
    expect(verdicts).toEqual([]);
    expect(ours).toEqual(expect.arrayContaining([`payouts ${DAY} -10000`, `${name} ${DAY} ${minor}`]));
    expect(ours).toHaveLength(3);
    expect(divided).toEqual([`payouts 2026-10-10 ${-minor}`, `${name} 2026-10-10 ${minor}`]);
  });

  test('nothing lies in it, where the file has both', () => {
    const { said, divided } = compared(payout, [theirLine('payout', '-152.00', { fee: '2.00', duty: '50.00' })]);
    expect([said, divided]).toEqual([[], []]);
  });

  test('another sum is held against the amount with them', () => {
    expect(compared(payout, [theirLine('payout', '-160.00', { fee: '2.00' })])).toMatchObject({
      said: ['amount_mismatch 150.00 158.00 -8.00'],
      ours: [`payouts ${DAY} -10000`, `fees ${DAY} -200`, `duty ${DAY} -5000`],
      divided: ['payouts 2026-10-10 5000', 'duty 2026-10-10 -5000'],
    });
  });

  test.each([
    ['the duty, beside a fee', { fee: '2.00' }, '-102.00', ['duty_mismatch 50.00 0.00 50.00']],
    ['the fees, beside a duty', { duty: '50.00' }, '-150.00', ['fee_mismatch 2.00 0.00 2.00']],
    [
      'the fees, beside another duty',
      { duty: '0.00' },
      '-100.00',
      ['duty_mismatch 50.00 0.00 50.00', 'fee_mismatch 2.00 0.00 2.00'],
    ],
  ] as const)('the bare amount says that they were not charged: %s', (_, columns, amount, breaks) => {
    const { said, ours, divided } = compared(payout, [theirLine('payout', amount, columns)]);
    expect(said).toEqual(breaks);
    expect(ours).toEqual([`payouts ${DAY} -10000`, `fees ${DAY} -200`, `duty ${DAY} -5000`]);
    expect(divided).toEqual([]);
  });

  test.each([
    ['10000.00', ['fee_mismatch 161.25 0.00 161.25']],
    ['9838.75', []],
    ['9900.00', ['amount_mismatch 9838.75 9900.00 61.25']],
  ] as const)('a duty of 0.00 beside %s says nothing of the fees of a collection', (amount, breaks) => {
    const sale = ourRow('collection', 'success', { amount: '10000.00', fees: '161.25' });
    expect(compared(sale, [theirLine('collection', amount, { duty: '0.00' })]).said).toEqual(breaks);
  });

  test('a tax of 0.00 without a fee says no charges of a line that moves what is expected', () => {
    const sale = ourRow('collection', 'success', { amount: '12345.67', fees: '194.44' });
    expect(compared(sale, [theirLine('collection', '12151.23', { tax: '0.00' })])).toMatchObject({
      said: [],
      ours: [`collections ${DAY} 1234567`, `fees ${DAY} -19444`],
    });
    const told = compared(sale, [theirLine('collection', '12151.23', { fee: '0.00' })]).said;
    expect(told).toEqual([expect.stringMatching(/^amount_mismatch/), 'fee_mismatch 194.44 0.00 194.44']);
  });

  test('a line that comes behind the last day may still say them', () => {
    const lines = [theirLine('payout', '-100.00'), theirLine('duty', '-50.00')];
    const [sums, all] = [lines, [...lines, theirLine('fee', '-2.00')]].map((some) => sumsOf('payout', some));
    if (sums === undefined || all === undefined) throw new Error('no sums');
    const terms = octoberTerms({});
    const one = { row: payout, sums, all, standing: 'done', day: DAY, ...AS_IS, goesOn: true, terms } as const;
    expect(compareMoney(one, DAY)).toMatchObject({ verdicts: [], divided: [] });
  });

  test('without a line of the amount they come with it: nothing is divided, and they are missing, too', () => {
    const row = ourRow('payout', 'success', { amount: '100.00', fees: '1.00', duty: '50.00' });
    const { absent, ours, divided } = compared(row, [theirLine('fee', '-1.00')]);
    expect([absent, ours, divided]).toEqual([
      15_000n,
      [`payouts ${DAY} -10000`, `fees ${DAY} -100`, `duty ${DAY} -5000`],
      [],
    ]);
  });

  test('of a collection they are less than its amount', () => {
    const sale = ourRow('collection', 'success', { amount: '100.00', fees: '2.00', duty: '5.00' });
    const { said: verdicts, divided } = compared(sale, [theirLine('collection', '93.00', { fee: '2.00' })]);
    expect(verdicts).toEqual([]);
    expect(divided).toEqual(['collections 2026-10-10 500', 'duty 2026-10-10 -500']);
  });

  test('we know none: the amount is held against the line alone', () => {
    const sale = ourRow('collection', 'success', { amount: '100.00' });
    for (const columns of [{ fee: '2.00' }, { duty: '2.00' }]) {
      expect(compared(sale, [theirLine('collection', '97.00', columns)]).said).toEqual([
        'amount_mismatch 100.00 99.00 -1.00',
      ]);
    }
  });
});

describe('duty', () => {
  const compare = { fee: { minor: 0n }, tax: { minor: 0n }, duty: { minor: 5n } };
  const payout = ourRow('payout', 'success', { amount: '100.00', duty: '50.00' });
  const line = (duty: string) => [theirLine('payout', `-${(100 + Number(duty)).toFixed(2)}`, { duty })];

  test.each([
    ['50.05', [], 'duty', -5_005],
    ['49.95', [], 'duty', -4_995],
    ['50.06', ['duty_mismatch 50.00 50.06 -0.06'], 'duty', -5_000],
    ['49.94', ['duty_mismatch 50.00 49.94 0.06'], 'duty', -5_000],
  ])('of 50.00 with a tolerance of 0.05 and %s in the file', (duty, verdicts, name, minor) => {
    const outcome = compared(payout, line(duty), { compare });
    expect(outcome.said).toEqual(verdicts);
    expect(outcome.ours).toEqual([`payouts ${DAY} -10000`, `${name} ${DAY} ${minor}`]);
  });

  test('that we do not know is theirs', () => {
    const unsaid = ourRow('payout', 'success', { amount: '100.00' });
    expect(compared(unsaid, line('50.00'))).toMatchObject({
      said: [],
      ours: [`payouts ${DAY} -10000`, `duty ${DAY} -5000`],
    });
  });
});

describe('a ledger', () => {
  const sale = ourRow('collection', 'success', { amount: '101.50', requested: '100.00', fees: '1.50' });
  const booked = (row: OurRow, amount: string) => compared(row, [theirLine('collection', amount)], { isLedger: true });

  test('holds a sale as it was asked for, as it was charged, or net of its fees', () => {
    expect(booked(sale, '100.00')).toMatchObject({ said: [], ours: [`collections ${DAY} 10000`], divided: [] });
    expect(booked(sale, '101.50')).toMatchObject({ said: [], ours: [`collections ${DAY} 10150`], divided: [] });
    const netSale = ourRow('collection', 'success', { amount: '101.50', requested: '101.00', fees: '1.50' });
    expect(booked(netSale, '100.00')).toMatchObject({
      said: [],
      ours: [`collections ${DAY} 10150`, `fees ${DAY} -150`],
      divided: ['collections 2026-10-10 150', 'fees 2026-10-10 -150'],
    });
  });

  test('is held against what was asked for, else against what was charged', () => {
    expect(booked(sale, '90.00').said).toEqual(['amount_mismatch 100.00 90.00 -10.00']);
    const unasked = ourRow('collection', 'success', { amount: '101.50' });
    expect(booked(unasked, '90.00').said).toEqual(['amount_mismatch 101.50 90.00 -11.50']);
  });

  test('outside of it what was asked for is another amount', () => {
    const { said: verdicts } = compared(ourRow('collection', 'success', { amount: '101.50', requested: '100.00' }), [
      theirLine('collection', '100.00'),
    ]);
    expect(verdicts).toEqual(['amount_mismatch 101.50 100.00 -1.50']);
  });
});
