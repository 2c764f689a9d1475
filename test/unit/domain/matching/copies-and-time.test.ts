import { describe, expect, it } from 'vitest';
import { judgeGroup } from '../../../../src/domain/matching/judge.ts';
import type { OurRow, TheirLine } from '../../../../src/domain/matching/rows.ts';
import type { Terms } from '../../../../src/domain/matching/terms.ts';
import { minor, octoberTerms, ourRow, said, theirLine } from '../../../support/matching/groups.ts';

/* docs/matching.md, Copies and ties, Verdicts: figures by hand. */

const judged = (row: OurRow, lines: readonly TheirLine[], more: Partial<Terms> = {}) =>
  judgeGroup(row, lines, octoberTerms(more)).verdicts.map(said);

const sale = ourRow('collection', 'success', { amount: '100.00', fees: '2.00' });
const line = (amount: string, row: number, parts = {}) => theirLine('collection', amount, { row, ...parts });

/* Lines of 44.00 by their days: paid, paid, back is `- - +`. */
describe('payments and returns are paired in the order of their days, a copy before what stands', () => {
  const TYPES = {
    payout: ['payout', 'payout_reversal', 1],
    collection: ['collection', 'collection_reversal', -1],
    refund: ['refund', 'refund_reversal', 1],
    'refund of the other sign': ['refund', 'refund', 1],
    'payout of the other sign': ['payout', 'payout', 1],
    'collection of the other sign': ['collection', 'collection', -1],
  } as const;

  it.each<[keyof typeof TYPES, string, string, readonly string[]]>([
    ['payout', 'success', '- - +', []],
    ['payout', 'success', '-- +', []],
    ['payout', 'success', '--+', []],
    ['payout', 'success', '- +-', []],
    ['payout', 'success', '- - - +', ['duplicate_external - 44.00 -44.00']],
    ['payout', 'success', '- + - +', ['status_mismatch/internal_vs_statement success reversed 44.00']],
    ['payout', 'success', '- - + +', ['status_mismatch/internal_vs_statement success reversed 44.00']],
    ['payout', 'reversed', '- - +', ['duplicate_external - 44.00 -44.00']],
    ['payout', 'reversed', '- + - +', []],
    ['payout', 'failed', '- - + +', []],
    ['collection', 'success', '- - +', []],
    ['collection', 'success', '- + - +', ['status_mismatch/internal_vs_statement success reversed -44.00']],
    ['refund', 'success', '- - +', []],
    ['refund', 'rejected', '- + - +', []],
    ['refund of the other sign', 'success', '- - +', []],
    ['payout of the other sign', 'failed', '- +', []],
    ['payout of the other sign', 'failed', '-+', []],
    ['payout of the other sign', 'success', '- - +', []],
    ['payout of the other sign', 'success', '- +', ['status_mismatch/internal_vs_statement success reversed 44.00']],
    ['payout of the other sign', 'failed', '- - +', ['duplicate_external - 44.00 -44.00']],
    ['payout of the other sign', 'failed', '+', ['status_mismatch/internal_vs_statement failed success 44.00']],
    ['collection of the other sign', 'reversed', '- +', []],
  ])('%s, %s: %s', (name, status, days, verdicts) => {
    const [kind, reversal, sign] = TYPES[name];
    const row = ourRow(kind, status, { amount: '44.00', reserved: '44.00' });
    const lines = days.split(' ').flatMap((marks, day) =>
      [...marks].map((mark, index) => {
        const amount = (mark === '-') === sign > 0 ? '-44.00' : '44.00';
        return theirLine(mark === '-' ? kind : reversal, amount, { row: 10 * day + index, date: `2026-10-1${day}` });
      }),
    );
    for (const ordered of [lines, lines.toReversed()]) expect(judged(row, ordered)).toEqual(verdicts);
  });

  it.each<[string, readonly string[]]>([
    ['- - +', []],
    ['- -', ['duplicate_external - 1.00 -1.00']],
    ['- +', ['fee_mismatch 1.00 0.00 1.00']],
    ['- - + +', ['fee_mismatch 1.00 0.00 1.00']],
  ])('its fee in lines of its own: %s', (days, verdicts) => {
    const row = ourRow('payout', 'success', { amount: '44.00', fees: '1.00' });
    const fees = days
      .split(' ')
      .map((mark, day) => theirLine('fee', `${mark}1.00`.replace('+', ''), { row: 10 + day, date: `2026-10-1${day}` }));
    expect(judged(row, [theirLine('payout', '-44.00'), ...fees])).toEqual(verdicts);
  });

  it('a copy is a break until the day of its return, also where that is known and of a later period', () => {
    const row = ourRow('payout', 'success', { amount: '44.00' });
    const paid = [theirLine('payout', '-44.00'), theirLine('payout', '-44.00', { row: 3 })];
    const back = theirLine('payout_reversal', '44.00', { row: 4, date: '2026-11-02' });
    expect(judged(row, [...paid, back])).toEqual(['duplicate_external - 44.00 -44.00']);
    expect(judged(row, [...paid, back], { until: '2026-11-30' })).toEqual([]);
  });
});

describe('copies and ties', () => {
  it('the first by date stands, the others are duplicates, named by their row', () => {
    const lines = [
      line('98.00', 7, { date: '2026-10-11' }),
      line('98.00', 9),
      line('98.00', 8, { date: '2026-10-12' }),
    ];
    const { verdicts } = judgeGroup(sale, lines, octoberTerms());
    expect(verdicts.map((one) => [said(one), one.line?.row, one.side])).toEqual([
      ['duplicate_external - 98.00 98.00', 7, 'theirs'],
      ['duplicate_external - 98.00 98.00', 8, 'theirs'],
    ]);
  });

  it('the first ones that add up to it are its parts; lines between are never left out', () => {
    const whole = ourRow('collection', 'success', { amount: '120.00' });
    const inOrder = (...amounts: string[]) =>
      judged(
        whole,
        amounts.map((amount, index) => line(amount, index + 2)),
      );
    expect(inOrder('50.00', '70.00', '30.00')).toEqual(['duplicate_external - 30.00 30.00']);
    expect(inOrder('30.00', '50.00', '70.00')).toEqual(['ambiguous 120.00 - 30.00']);
  });

  it('of different amounts the equal one is taken, net of its charges or before them', () => {
    expect(judged(sale, [line('55.00', 2), line('98.00', 3)])).toEqual(['duplicate_external - 55.00 55.00']);
    expect(judged(sale, [line('55.00', 2), line('98.00', 3, { fee: '2.00' })])).toEqual([
      'duplicate_external - 55.00 55.00',
    ]);
    const payout = ourRow('payout', 'completed', { amount: '100.00', fees: '2.00', duty: '50.00' });
    expect(judged(payout, [theirLine('payout', '-1.00'), theirLine('payout', '-152.00', { row: 3 })])).toEqual([
      'duplicate_external - 1.00 -1.00',
    ]);
    const asked = ourRow('collection', 'success', { amount: '101.50', requested: '100.00' });
    expect(judged(asked, [line('1.00', 2), line('100.00', 3)], { isLedger: true })).toEqual([
      'duplicate_external - 1.00 1.00',
    ]);
  });

  it('none is equal: ambiguous, one break for the record, with its lines as candidates', () => {
    const { verdicts, isMatched } = judgeGroup(sale, [line('55.00', 2), line('66.00', 3)], octoberTerms());
    expect([verdicts.map(said), isMatched]).toEqual([['ambiguous 100.00 - 23.00'], false]);
    expect(verdicts[0]?.candidates.map(({ row }) => row)).toEqual([2, 3]);
  });

  it('of two reversals the one that gives back what the lines took stands', () => {
    const reversed = ourRow('payout', 'reversed', { amount: '100.00' });
    const lines = [
      theirLine('payout', '-101.00', { fee: '1.00' }),
      theirLine('payout_reversal', '7.00', { row: 3 }),
      theirLine('payout_reversal', '101.00', { row: 4 }),
    ];
    expect(judged(reversed, lines)).toEqual(['duplicate_external - 7.00 7.00']);
  });
});

describe('signs', () => {
  it('a missing line has what it would have moved as effect, and its side is null', () => {
    expect(judged(sale, [])).toEqual(['missing_external 100.00 - -98.00']);
    expect(judged(ourRow('payout', 'completed', { amount: '100.00', fees: '2.00', duty: '50.00' }), [])).toEqual([
      'missing_external 100.00 - 152.00',
    ]);
    expect(judged(ourRow('batch', 'success', { amount: '100.00' }), [])).toEqual(['missing_external 100.00 - 100.00']);
    expect(judged(ourRow('batch', 'success', { amount: '100.00' }), [], { direction: 1n })).toEqual([
      'missing_external 100.00 - -100.00',
    ]);
    // Debited and given back, or neither: the balance is the same.
    expect(judged(ourRow('payout', 'reversed', { amount: '100.00' }), [])).toEqual([]);
    expect(judged(ourRow('collection', 'pending', { amount: '100.00' }), [])).toEqual([]);
  });

  it('only the line of the fee came: the rest is missing', () => {
    expect(judged(sale, [theirLine('fee', '-2.00')])).toEqual(['missing_external 100.00 - -100.00']);
  });

  it('values have no direction, but for a batch that moves the wrong way', () => {
    const batch = ourRow('batch', 'success', { amount: '100.00' });
    expect(judged(batch, [theirLine('settlement', '-100.00')])).toEqual([]);
    expect(judged(batch, [theirLine('settlement', '100.00')])).toEqual(['split_incomplete -100.00 100.00 200.00']);
    expect(judged(batch, [theirLine('settlement', '-99.00')])).toEqual(['split_incomplete 100.00 99.00 1.00']);
    // Money that moves the other way is negative, so that the variance says what is missing.
    expect(judged(sale, [line('-98.00', 2)])).toEqual(['amount_mismatch 98.00 -98.00 -196.00']);
  });

  it('18 digits stay exact', () => {
    const large = ourRow('collection', 'success', { amount: '9999999999999999.99', fees: '0.01' });
    expect(judged(large, [line('9999999999999999.98', 2)])).toEqual([]);
    expect(judged(large, [line('9999999999999999.97', 2)])).toEqual([
      'amount_mismatch 9999999999999999.98 9999999999999999.97 -0.01',
    ]);
  });
});

describe('time', () => {
  const dueDay = () => '2026-10-12';

  it('a line is missing once it is due', () => {
    expect(judged(sale, [], { dueDay, judgedDay: '2026-10-12' })).toEqual(['missing_external 100.00 - -98.00']);
    expect(judged(sale, [], { dueDay, judgedDay: '2026-10-11' })).toEqual(['timing 100.00 - -98.00']);
    expect(judgeGroup(sale, [], octoberTerms({ dueDay })).verdicts[0]?.dueDay).toBe('2026-10-12');
  });

  it('so is the reversal of a debit, and the end of a hold', () => {
    const payout = ourRow('payout', 'reversed', { amount: '100.00' });
    const debit = [theirLine('payout', '-100.00')];
    expect(judged(payout, debit, { dueDay, judgedDay: '2026-10-12' })).toEqual([
      'status_mismatch/internal_vs_statement reversed success -100.00',
    ]);
    expect(judged(payout, debit, { dueDay, judgedDay: '2026-10-11' })).toEqual(['timing 100.00 - -100.00']);
    const rejected = ourRow('refund', 'rejected', { amount: '100.00', reserved: '100.00', startDay: '2026-10-05' });
    const hold = [theirLine('reserve', '-100.00', { date: '2026-10-05' })];
    expect(judged(rejected, hold, { dueDay, judgedDay: '2026-10-11' })).toEqual(['timing 100.00 - -100.00']);
  });

  it('what waits says when its line came, or by when it is due, and never that a day in the past is left', () => {
    const waits = (row: OurRow, lines: readonly TheirLine[], judgedDay: string) =>
      judgeGroup(row, lines, octoberTerms({ dueDay, judgedDay })).verdicts[0]?.detail;
    const later = { date: '2026-11-03' };
    const awaited = 'is due by 2026-10-12, a day that this run does not judge yet';
    expect(waits(sale, [], '2026-10-11')).toBe(`its line ${awaited}`);
    expect(waits(sale, [line('98.00', 2, later)], '2026-10-31')).toBe('its line came on 2026-11-03, after this period');
    const payout = ourRow('payout', 'reversed', { amount: '100.00' });
    const debit = theirLine('payout', '-100.00');
    expect(waits(payout, [debit], '2026-10-11')).toBe(`its reversal ${awaited}`);
    expect(waits(payout, [debit, theirLine('payout_reversal', '100.00', later)], '2026-10-31')).toBe(
      'its reversal came on 2026-11-03, after this period',
    );
    const refund = ourRow('refund', 'processing', { amount: '100.00', startDay: '2026-10-05' });
    expect(waits(refund, [], '2026-10-31')).toBe('it is not settled, and the statement does not show its reserve');
    expect(waits(sale, [], '2026-10-31')).toBeNull();
  });

  it('a day that no source states is that of the line', () => {
    const learnt = ourRow('collection', 'success', { amount: '98.00', isDayLearnt: true });
    const posted = (row: OurRow) => judgeGroup(row, [line('98.00', 2, { date: '2026-10-07' })], octoberTerms()).ours;
    expect(posted(learnt)).toEqual([{ row: 'collections', day: '2026-10-07', minor: minor('98.00') }]);
    expect(posted({ ...learnt, isDayLearnt: false })).toMatchObject([{ day: '2026-10-10' }]);
  });

  it('fees divide before their line comes as they do when it is there', () => {
    const row = ourRow('collection', 'success', { amount: '100.00', fees: '2.15' });
    const later = line('97.85', 2, { fee: '2.00', tax: '0.15', date: '2026-11-02' });
    const { ours, verdicts } = judgeGroup(row, [later], octoberTerms());
    expect(verdicts.map(said)).toEqual(['timing 100.00 - -97.85']);
    expect(ours.map(({ row: name, minor: moved }) => [name, moved])).toEqual([
      ['collections', minor('100.00')],
      ['fees', minor('-2.00')],
      ['tax', minor('-0.15')],
    ]);
  });
});

describe('what one side alone can say', () => {
  it('a ledger books a sale as it was asked for, or as it was charged', () => {
    const asked = ourRow('collection', 'success', { amount: '101.50', requested: '100.00', fees: '1.50' });
    const booked = (amount: string) => judged(asked, [line(amount, 2)], { isLedger: true });
    expect([booked('100.00'), booked('101.50')]).toEqual([[], []]);
    expect(booked('90.00')).toEqual(['amount_mismatch 100.00 90.00 -10.00']);
  });

  it('a file with a column for duty alone has the fee in its amount', () => {
    const payout = ourRow('payout', 'completed', { amount: '20000.00', fees: '25.00', duty: '50.00' });
    expect(judged(payout, [theirLine('payout', '-20075.00', { duty: '50.00' })])).toEqual([]);
    expect(judged(payout, [theirLine('payout', '-20065.00', { duty: '40.00' })])).toEqual([
      'duty_mismatch 50.00 40.00 10.00',
    ]);
  });

  it('a file that says no tax is not judged by the schedule; nor is a tax where fee and tax together are our fees', () => {
    const taxOn = () => 15n;
    expect(judged(sale, [line('97.00', 2, { fee: '3.00' })], { taxOn })).toEqual(['fee_mismatch 2.00 3.00 -1.00']);
    expect(judged(sale, [line('98.00', 2, { fee: '1.98', tax: '0.02' })], { taxOn })).toEqual([]);
  });

  it('a hold is what the service says, else amount and fee; money alone says nothing of it', () => {
    const refund = (parts = {}) => ourRow('refund', 'processing', { amount: '50.00', fees: '0.20', ...parts });
    expect(judged(refund({ reserved: '60.00' }), [theirLine('reserve', '-60.00')])).toEqual([]);
    expect(judged(refund(), [theirLine('reserve', '-50.20')])).toEqual([]);
    expect(judged(refund(), [theirLine('refund', '-50.20')])).toEqual([
      'status_mismatch/internal_vs_statement processing success -50.20',
    ]);
  });
});
