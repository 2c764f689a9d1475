import { describe, expect, it } from 'vitest';
import { judgeGroup } from '../../../../src/domain/matching/judge.ts';
import { sumUntil } from '../../../../src/domain/matching/postings.ts';
import type { OurRow, TheirLine } from '../../../../src/domain/matching/rows.ts';
import type { Terms } from '../../../../src/domain/matching/terms.ts';
import { minor, octoberTerms, ourRow, said, theirLine } from '../../../support/matching/groups.ts';

/* docs/matching.md, Groups: figures by hand. */

const judged = (row: OurRow, lines: readonly TheirLine[], more: Partial<Terms> = {}) =>
  judgeGroup(row, lines, octoberTerms(more)).verdicts.map(said);
/** What moved by us, by the rows of the proof. */
const moved = (row: OurRow, lines: readonly TheirLine[], more: Partial<Terms> = {}) => {
  const { ours } = judgeGroup(row, lines, octoberTerms(more));
  const rows = Map.groupBy(ours, ({ row: name }) => name);
  return Object.fromEntries([...rows].map(([name, postings]) => [name, sumUntil(postings, '2026-10-31')]));
};
/** 7.5 per cent of the fee, in whole minor units. */
const taxed = { taxOn: (_: OurRow, fee: bigint) => (fee * 75n + 500n) / 1000n };

const sale = ourRow('collection', 'success', { amount: '100.00', fees: '2.15' });
const transfer = ourRow('payout', 'success', { amount: '20000.00', fees: '25.00', duty: '50.00' });
const REFUND = { amount: '50.00', fees: '0.20', reserved: '50.20', startDay: '2026-10-05' };
const refund = (status: string) => ourRow('refund', status, REFUND);
const hold = theirLine('reserve', '-50.20', { date: '2026-10-05', row: 2 });
const release = theirLine('release', '50.20', { row: 3 });

describe('our fees, which hold the tax', () => {
  it('divide as the schedule does while no line says it, and as the lines do once one does', () => {
    const within = { taxWithin: () => 15n };
    expect(moved(sale, [], within)).toEqual({ collections: 10_000n, fees: -200n, tax: -15n });
    const later = theirLine('collection', '97.85', { date: '2026-11-02', fee: '1.95', tax: '0.20' });
    expect(moved(sale, [later], within)).toEqual({ collections: 10_000n, fees: -195n, tax: -20n });
  });
});

describe('lines with one reference are one group, compared by component', () => {
  it('what is said twice under one name is one thing, with both effects and both statuses of the file', () => {
    const back = theirLine('refund_reversal', '50.20', { row: 4 });
    const paid = theirLine('refund', '-50.20', { row: 5 });
    expect(judged(refund('success'), [hold, paid, back])).toEqual([
      'status_mismatch/internal_vs_statement success reversed and reserved 0.00',
    ]);
  });

  it('principal with amount, fee and tax together with fees, duty with stamp duty', () => {
    const lines = (amount: string, fee: string, tax: string, duty: string) => [
      theirLine('payout', amount, { row: 2 }),
      theirLine('fee', fee, { row: 3 }),
      theirLine('tax', tax, { row: 4 }),
      theirLine('duty', duty, { row: 5 }),
    ];
    expect(judged(transfer, lines('-20000.00', '-23.26', '-1.74', '-50.00'))).toEqual([]);
    expect(judged(transfer, lines('-20001.00', '-23.26', '-1.74', '-50.00'))).toEqual([
      'amount_mismatch 20000.00 20001.00 -1.00',
    ]);
    expect(judged(transfer, lines('-20000.00', '-24.26', '-1.74', '-50.00'))).toEqual([
      'fee_mismatch 25.00 26.00 -1.00',
    ]);
    expect(judged(transfer, lines('-20000.00', '-23.26', '-1.74', '-40.00'))).toEqual([
      'duty_mismatch 50.00 40.00 10.00',
    ]);
    // All three at once: three breaks, each with its own effect.
    expect(judged(transfer, lines('-20001.00', '-24.26', '-1.74', '-40.00'))).toEqual([
      'amount_mismatch 20000.00 20001.00 -1.00',
      'duty_mismatch 50.00 40.00 10.00',
      'fee_mismatch 25.00 26.00 -1.00',
    ]);
  });

  it('reserve less release with what is reserved, while the refund is not settled', () => {
    expect(judged(refund('processing'), [hold])).toEqual([]);
    expect(judged(refund('processing'), [theirLine('reserve', '-51.00', { date: '2026-10-05' })])).toEqual([
      'reserve_mismatch 50.20 51.00 -0.80',
    ]);
    expect(judged(refund('failed'), [hold])).toEqual([]);
    expect(judged(refund('processing'), [hold, theirLine('release', '0.20', { row: 3 })])).toEqual([
      'reserve_mismatch 50.20 50.00 0.20',
    ]);
  });

  it('a reversal with the whole debit', () => {
    const reversed = ourRow('payout', 'reversed', { amount: '20000.00', fees: '25.00', duty: '50.00' });
    const debit = theirLine('payout', '-20075.00', { fee: '25.00', duty: '50.00' });
    const back = (amount: string) => theirLine('payout_reversal', amount, { date: '2026-10-12', row: 3 });
    expect(judged(reversed, [debit, back('20075.00')])).toEqual([]);
    expect(judged(reversed, [debit, back('20000.00')])).toEqual(['amount_mismatch 20075.00 20000.00 -75.00']);
    const parts = [
      theirLine('payout', '-20000.00'),
      theirLine('fee', '-25.00', { row: 4 }),
      theirLine('duty', '-50.00', { row: 5 }),
    ];
    expect(judged(reversed, [...parts, back('20075.00')])).toEqual([]);
    expect(moved(reversed, [...parts, back('20075.00')])).toEqual({
      ...{ payouts: minor('-20000.00'), fees: minor('-25.00'), duty: minor('-50.00'), reversals: minor('20075.00') },
    });
    // Of two reversals the one of the whole debit stands.
    expect(judged(reversed, [debit, back('20075.00'), theirLine('payout_reversal', '1.00', { row: 4 })])).toEqual([
      'duplicate_external - 1.00 1.00',
    ]);
  });
});

describe('a refund that has come to its end', () => {
  const paid = theirLine('refund', '-50.20', { fee: '0.20', row: 4 });

  it('nets to what was reserved, when it succeeded', () => {
    expect(judged(refund('success'), [hold, release, paid])).toEqual([]);
    expect(judged(refund('success'), [hold])).toEqual([]);
    expect(judged(refund('success'), [paid])).toEqual([]);
    expect(judged(refund('success'), [theirLine('refund', '-50.20')])).toEqual([]);
    expect(moved(refund('success'), [hold, release, paid])).toEqual({
      ...{ reserves: 0n, refunds: minor('-50.00'), refund_fees: minor('-0.20') },
    });
    expect(judged(refund('success'), [theirLine('reserve', '-50.30')])).toEqual(['reserve_mismatch 50.20 50.30 -0.10']);
    expect(judged(refund('success'), [hold, release])).toEqual(['missing_external 50.00 - 50.20']);
    expect(judged(refund('success'), [hold, paid])).toEqual([
      'status_mismatch/internal_vs_statement success reserved -50.20',
    ]);
  });

  it('nets to nothing, when it was rejected', () => {
    expect(judged(refund('rejected'), [hold, release])).toEqual([]);
    expect(judged(refund('rejected'), [])).toEqual([]);
    expect(judged(refund('rejected'), [hold])).toEqual([
      'status_mismatch/internal_vs_statement rejected reserved -50.20',
    ]);
    expect(judged(refund('rejected'), [hold, release, paid])).toEqual([
      'status_mismatch/internal_vs_statement rejected success -50.20',
    ]);
  });
});

describe('another outcome in the file', () => {
  const debit = theirLine('payout', '-20075.00', { fee: '25.00', duty: '50.00' });
  const of = (status: string) => ourRow('payout', status, { amount: '20000.00', fees: '25.00', duty: '50.00' });

  it('reversed, without the line of the reversal', () => {
    expect(judged(of('reversed'), [debit])).toEqual([
      'status_mismatch/internal_vs_statement reversed success -20075.00',
    ]);
  });

  it('failed, with a debit and no reversal; with neither, or with both, it agrees', () => {
    expect(judged(of('failed'), [debit])).toEqual(['status_mismatch/internal_vs_statement failed success -20075.00']);
    expect(judged(of('failed'), [])).toEqual([]);
    expect(judged(of('failed'), [debit, theirLine('payout_reversal', '20075.00', { row: 3 })])).toEqual([]);
  });

  it('reversed in the file alone', () => {
    const back = theirLine('payout_reversal', '20075.00', { date: '2026-10-12', row: 3 });
    expect(judged(of('success'), [debit, back])).toEqual([
      'status_mismatch/internal_vs_statement success reversed 20075.00',
    ]);
    expect(judged(of('pending'), [debit, back])).toEqual([
      'status_mismatch/internal_vs_statement pending reversed 20075.00',
    ]);
    const pending = ourRow('collection', 'pending', { amount: '100.00' });
    const lines = [theirLine('collection', '100.00'), theirLine('collection_reversal', '-100.00', { row: 3 })];
    expect(judged(pending, lines)).toEqual(['status_mismatch/internal_vs_statement pending reversed 0.00']);
  });
});

describe('what a line took back', () => {
  const debit = theirLine('payout', '-20075.00', { fee: '25.00', duty: '50.00' });
  const of = (status: string) => ourRow('payout', status, { amount: '20000.00', fees: '25.00', duty: '50.00' });
  const back = (amount: string, day: number, row: number) =>
    theirLine('payout_reversal', amount, { date: `2026-10-${day}`, row });
  const taken = [debit, back('20075.00', 12, 3), back('-20075.00', 12, 4)];

  it('a reversal that another line ends is none: the component is 0.00', () => {
    expect(judged(of('success'), taken)).toEqual([]);
    expect(judged(of('success'), taken.with(2, back('-20075.00', 13, 1)))).toEqual([]);
    const lines = [
      theirLine('collection', '97.85', { fee: '2.15' }),
      theirLine('collection_reversal', '-97.85', { row: 3 }),
      theirLine('collection_reversal', '97.85', { row: 1 }),
    ];
    expect(judged(sale, lines)).toEqual([]);
  });

  it('of a record that was reversed, its reversal is missing', () => {
    expect(judged(of('reversed'), taken)).toEqual(['status_mismatch/internal_vs_statement reversed success -20075.00']);
  });

  it('a part of it taken back leaves the rest', () => {
    expect(judged(of('success'), taken.with(2, back('-20000.00', 13, 4)))).toEqual([
      'status_mismatch/internal_vs_statement success reversed 75.00',
    ]);
    expect(judged(of('reversed'), taken.with(2, back('-75.00', 13, 4)))).toEqual([
      'amount_mismatch 20075.00 20000.00 -75.00',
    ]);
  });

  it('may come again on another day; equal lines of one day stay copies', () => {
    const again = [...taken, back('20075.00', 14, 2)];
    expect(judged(of('reversed'), again)).toEqual([]);
    expect(judged(of('success'), again)).toEqual(['status_mismatch/internal_vs_statement success reversed 20075.00']);
    expect(judged(of('reversed'), [...again, back('20075.00', 14, 9)])).toEqual([
      'duplicate_external - 20075.00 20075.00',
    ]);
    expect(judged(of('success'), [...again, back('-20075.00', 15, 9)])).toEqual([]);
  });

  it('across the end of a period it is timing in the earlier one', () => {
    expect(judged(of('success'), taken.with(2, back('-20075.00', 31, 4)), { until: '2026-10-30' })).toEqual([
      'timing 20000.00 - 20075.00',
    ]);
  });

  it('a reserve after its release is another one, and one beside it a copy', () => {
    const anew = theirLine('reserve', '-50.20', { date: '2026-10-12', row: 4 });
    expect(judged(refund('processing'), [hold, release, anew])).toEqual([]);
    expect(judged(refund('processing'), [hold, { ...release, date: '2026-10-12' }, { ...anew, row: 1 }])).toEqual([]);
    expect(judged(refund('processing'), [hold, anew])).toEqual(['duplicate_external - 50.20 -50.20']);
    const over = theirLine('release', '50.20', { date: '2026-10-13', row: 5 });
    expect(judged(refund('rejected'), [hold, release, anew, over])).toEqual([]);
    expect(judged(refund('rejected'), [hold, release, anew])).toEqual(['duplicate_external - 50.20 -50.20']);
  });

  it('of two lines of one amount and day, the one that moves as the record does is its own, and the other one its reversal', () => {
    const lines = [theirLine('collection', '-100.00', { row: 1 }), theirLine('collection', '100.00', { row: 2 })];
    expect(judged(ourRow('collection', 'success', { amount: '100.00' }), lines)).toEqual([
      'status_mismatch/internal_vs_statement success reversed -100.00',
    ]);
  });
});

describe('a component that one side does not say', () => {
  it('is not compared, and takes the value of the other side', () => {
    const unsaid = ourRow('collection', 'success', { amount: '100.00' });
    const line = theirLine('collection', '97.85', { fee: '2.00', tax: '0.15' });
    expect(judged(unsaid, [line])).toEqual([]);
    expect(moved(unsaid, [line])).toEqual({ collections: minor('100.00'), fees: minor('-2.00'), tax: minor('-0.15') });
    // The file says fees and no duty, which lies in its amount.
    const dutiless = theirLine('payout', '-20075.00', { fee: '25.00' });
    expect(judged(transfer, [dutiless])).toEqual([]);
    expect(moved(transfer, [dutiless])).toEqual({
      ...{ payouts: minor('-20000.00'), fees: minor('-25.00'), duty: minor('-50.00') },
    });
  });

  it('an amount that we do not know is theirs; fees that we know are still compared', () => {
    const line = theirLine('collection', '97.85', { fee: '2.00', tax: '0.15' });
    expect(judged(ourRow('collection', 'success', {}), [line])).toEqual([]);
    expect(judged(ourRow('collection', 'success', { fees: '2.10' }), [line])).toEqual(['fee_mismatch 2.10 2.15 -0.05']);
  });

  it('a hold that we do not know is theirs, also beside money that should not be there', () => {
    const unknown = ourRow('refund', 'processing', { startDay: '2026-10-05' });
    expect(judged(unknown, [hold])).toEqual([]);
    expect(judged(unknown, [hold, theirLine('refund', '-1.00', { row: 3 })])).toEqual([
      'status_mismatch/internal_vs_statement processing success -1.00',
    ]);
  });

  it('where no line says any, the sum is held against what we expect', () => {
    expect(judged(sale, [theirLine('collection', '97.85')])).toEqual([]);
    expect(judged(sale, [theirLine('collection', '100.00')])).toEqual(['amount_mismatch 97.85 100.00 2.15']);
    expect(judged(transfer, [theirLine('payout', '-20075.00')])).toEqual([]);
    expect(judged(transfer, [theirLine('payout', '-20000.00')])).toEqual(['amount_mismatch 20075.00 20000.00 75.00']);
    // Both sides of the proof divide it as we do.
    expect(moved(sale, [theirLine('collection', '97.85')])).toEqual({
      collections: minor('100.00'),
      fees: minor('-2.15'),
    });
  });
});

describe('fee and tax', () => {
  it('our fees divide as the lines do', () => {
    const line = theirLine('collection', '97.85', { fee: '2.00', tax: '0.15' });
    expect(moved(sale, [line])).toEqual({ collections: minor('100.00'), fees: minor('-2.00'), tax: minor('-0.15') });
    const other = theirLine('collection', '97.85', { fee: '1.15', tax: '1.00' });
    expect(judged(sale, [other], taxed)).toEqual([]);
    expect(moved(sale, [other])).toEqual({ collections: minor('100.00'), fees: minor('-1.15'), tax: minor('-1.00') });
  });

  it('tax is judged by the schedule where both together differ, and the fee shows what is left', () => {
    // 2.00 of fee and 0.15 of tax were right. The file has 3.00 and 0.30; of 3.00 the schedule takes 0.23.
    const line = theirLine('collection', '96.70', { fee: '3.00', tax: '0.30' });
    expect(judged(sale, [line], taxed)).toEqual(['tax_mismatch 0.23 0.30 -0.07', 'fee_mismatch 2.15 3.23 -1.08']);
    expect(judged(sale, [theirLine('collection', '97.80', { fee: '2.00', tax: '0.20' })], taxed)).toEqual([
      'tax_mismatch 0.15 0.20 -0.05',
    ]);
    // Without a schedule tax is not judged at all.
    expect(judged(sale, [line])).toEqual(['fee_mismatch 2.15 3.30 -1.15']);
  });

  it('within a tolerance the lines are right, and beyond it the whole difference shows', () => {
    const compare = { fee: { minor: 5n }, tax: { minor: 0n }, duty: { minor: 5n } };
    const line = (fee: string) => theirLine('collection', `${100 - Number(fee)}`, { fee });
    expect(judged(sale, [line('2.20')], { compare })).toEqual([]);
    expect(moved(sale, [line('2.20')], { compare })).toEqual({ collections: minor('100.00'), fees: minor('-2.20') });
    expect(judged(sale, [line('2.21')], { compare })).toEqual(['fee_mismatch 2.15 2.21 -0.06']);
    // The tax is wrong by 0.06; the rest of 0.02 is within the fee's tolerance, and is no effect.
    const taxWrong = theirLine('collection', '97.77', { fee: '2.02', tax: '0.21' });
    expect(judged(sale, [taxWrong], { ...taxed, compare })).toEqual(['tax_mismatch 0.15 0.21 -0.06']);
  });
});

describe('a match across the end of a period is timing in the earlier one', () => {
  const until = '2026-10-09';

  it('the line comes later, or the record does', () => {
    expect(
      judged(
        ourRow('collection', 'success', { amount: '100.00', fees: '2.15', day: '2026-10-09' }),
        [theirLine('collection', '97.85')],
        { until },
      ),
    ).toEqual(['timing 100.00 - -97.85']);
    expect(judged(sale, [theirLine('collection', '97.85', { date: '2026-10-09' })], { until })).toEqual([
      'timing - 97.85 97.85',
    ]);
  });

  it('a refund whose hold ends in the file before it is settled by us', () => {
    const lines = (paid: boolean) => [
      hold,
      theirLine('release', '50.20', { row: 3, date: until }),
      ...(paid ? [theirLine('refund', '-50.20', { fee: '0.20', row: 4, date: until })] : []),
    ];
    // Its money is held by us, and gone by them: the same balance.
    expect(judged(refund('success'), lines(true), { until })).toEqual([]);
    expect(judged(refund('success'), lines(true).slice(2), { until })).toEqual(['timing - 50.00 -50.20']);
    expect(judged(refund('rejected'), lines(false), { until })).toEqual(['timing - 50.20 50.20']);
    expect(judged(refund('success'), [hold, ...lines(true).slice(2)], { until })).toEqual(['timing - 50.00 -50.20']);
    // A hold of another amount is a break already.
    expect(judged(refund('success'), [theirLine('reserve', '-51.00', { date: '2026-10-05' })], { until })).toEqual([
      'reserve_mismatch 50.20 51.00 -0.80',
    ]);
  });
});
