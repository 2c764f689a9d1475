import { describe, expect, test } from 'vitest';
import { judgePayment } from '../../../../src/domain/matching/payment.ts';
import { caseOf, saidOf } from '../../../support/matching/cases.ts';
import { octoberTerms, ourRow, theirLine } from '../../../support/matching/groups.ts';

const payout = (status: string, parts = {}) => ourRow('payout', status, { amount: '100.00', ...parts });
const DEBIT = theirLine('payout', '-100.00', { row: 2, date: '2026-10-11' });
const BACK = theirLine('payout_reversal', '100.00', { row: 3, date: '2026-10-12' });

describe('without a line', () => {
  test.each(['pending', 'failed', 'cancelled', 'reversed'])('a payout that is %s is no break', (status) => {
    expect(saidOf(judgePayment(caseOf(payout(status))))).toEqual({ said: [], ours: [] });
  });

  test('nor is a collection that was reversed', () => {
    const row = ourRow('collection', 'reversed', { amount: '9.00' });
    expect(saidOf(judgePayment(caseOf(row)))).toEqual({ said: [], ours: [] });
  });

  test.each([
    ['collection', 1n, ['collections 10-10 10000', 'fees 10-10 -300', 'duty 10-10 -500'], '-92.00'],
    ['payout', 1n, ['payouts 10-10 -10000', 'fees 10-10 -300', 'duty 10-10 -500'], '108.00'],
    ['batch', 1n, ['settlements 10-10 10000', 'fees 10-10 -300', 'duty 10-10 -500'], '-92.00'],
    ['top_up', -1n, ['top_ups 10-10 -10000', 'fees 10-10 -300', 'duty 10-10 -500'], '108.00'],
  ] as const)('a %s in direction %s moved its amount and its charges by us', (kind, direction, ours, effect) => {
    const row = ourRow(kind, 'success', { amount: '100.00', fees: '3.00', duty: '5.00' });
    expect(saidOf(judgePayment(caseOf(row, [], { terms: octoberTerms({ direction }) })))).toEqual({
      ...{ said: [`missing_external 100.00 - ${effect}`], ours },
    });
  });

  test('what we do not know of it moved nothing', () => {
    const terms = octoberTerms({ taxWithin: () => 15n });
    expect(saidOf(judgePayment(caseOf(ourRow('payout', 'success', {}), [], { terms })))).toEqual({
      ...{ said: ['missing_external - - 0.00'], ours: [] },
    });
  });

  test('its fees divide as the schedule does, or as lines do that come later', () => {
    const terms = octoberTerms({ taxWithin: () => 15n });
    const row = payout('success', { fees: '2.15' });
    expect(saidOf(judgePayment(caseOf(row, [], { terms }))).ours).toEqual([
      ...['payouts 10-10 -10000', 'fees 10-10 -200', 'tax 10-10 -15'],
    ]);
    const later = theirLine('payout', '-102.15', { tax: '0.20', date: '2026-11-02' });
    expect(saidOf(judgePayment(caseOf(row, [later], { terms }))).ours).toEqual([
      ...['payouts 10-10 -10000', 'fees 10-10 -195', 'tax 10-10 -20'],
    ]);
  });
});

describe('a payout that moved its money', () => {
  test('agrees with its debit, on our day', () => {
    expect(saidOf(judgePayment(caseOf(payout('success'), [DEBIT])))).toEqual({
      said: [],
      ours: ['payouts 10-10 -10000'],
    });
  });

  test('and is under way by us stands on the day of its line; its charges alone are not the money', () => {
    expect(saidOf(judgePayment(caseOf(payout('pending'), [DEBIT])))).toEqual({
      said: [],
      ours: ['payouts 10-11 -10000'],
    });
    const fee = theirLine('fee', '-1.00', { date: '2026-10-11' });
    expect(saidOf(judgePayment(caseOf(payout('pending'), [fee])))).toEqual({
      said: ['status_mismatch/internal_vs_statement pending success -1.00'],
      ours: [],
    });
  });

  test('misses its line, where only charges came, before what differs about them', () => {
    const fee = theirLine('fee', '-1.00');
    expect(saidOf(judgePayment(caseOf(payout('success', { fees: '2.00' }), [fee]))).said).toEqual([
      ...['missing_external 100.00 - 100.00', 'fee_mismatch 2.00 1.00 1.00'],
    ]);
  });

  test('and was reversed in the file alone has another outcome, with what moved back as effect', () => {
    for (const status of ['success', 'pending']) {
      const part = judgePayment(caseOf(payout(status), [DEBIT, BACK]));
      expect(saidOf(part).said).toEqual([`status_mismatch/internal_vs_statement ${status} reversed 100.00`]);
      expect(part.verdicts[0]?.line).toBe(BACK);
    }
  });
});

describe('a payment that came to nothing', () => {
  const OURS = ['payouts 10-11 -10000', 'reversals 10-12 10000'];

  test.each(['failed', 'reversed', 'cancelled'])('and is %s agrees with a debit and its whole reversal', (status) => {
    expect(saidOf(judgePayment(caseOf(payout(status), [DEBIT, BACK])))).toEqual({ said: [], ours: OURS });
  });

  test('agrees with lines that add up to nothing without a reversal', () => {
    const back = theirLine('adjustment', '100.00', { row: 3, date: '2026-10-12' });
    const lines = [DEBIT, back];
    expect(saidOf(judgePayment(caseOf(payout('failed'), lines)))).toEqual({
      ...{ said: [], ours: ['payouts 10-11 -10000', 'adjustments 10-12 10000'] },
    });
    const early = caseOf(payout('reversed'), lines, { goesOn: true });
    expect(judgePayment(early).verdicts).toEqual([]);
  });

  test('with a debit alone has another outcome once the reversal is due', () => {
    const part = judgePayment(caseOf(payout('reversed'), [DEBIT]));
    expect(saidOf(part)).toEqual({
      said: ['status_mismatch/internal_vs_statement reversed success -100.00'],
      ours: [],
    });
  });

  test.each([
    ['2026-10-11', 'timing'],
    ['2026-10-12', 'status_mismatch'],
  ])('with a debit alone and a reversal due on the 12th, judged on %s: %s', (judgedDay, code) => {
    const terms = octoberTerms({ dueDay: () => '2026-10-12', judgedDay });
    const { verdicts, ours } = judgePayment(caseOf(payout('failed'), [DEBIT], { terms }));
    expect(verdicts).toMatchObject([{ code, effect: -10_000n, line: DEBIT }]);
    expect(ours).toEqual([]);
  });

  test('waits for a reversal that comes after the period', () => {
    const { verdicts } = judgePayment(caseOf(payout('failed'), [DEBIT, { ...BACK, date: '2026-11-02' }]));
    expect(verdicts).toMatchObject([
      { code: 'timing', line: DEBIT, detail: 'its reversal came on 2026-11-02, after this period' },
    ]);
    const charged = judgePayment(
      caseOf(payout('failed'), [theirLine('fee', '-1.00'), { ...BACK, date: '2026-11-02' }]),
    );
    expect(charged.verdicts).toMatchObject([{ code: 'timing', line: null, effect: -100n }]);
  });

  test.each([
    ['99.00', 'amount_mismatch 100.00 99.00 -1.00'],
    ['101.00', 'amount_mismatch 100.00 101.00 1.00'],
  ])('and of which %s came back differs about the reversal', (amount, expected) => {
    const back = theirLine('payout_reversal', amount, { row: 3 });
    const part = judgePayment(caseOf(payout('reversed'), [DEBIT, back]));
    expect(saidOf(part)).toEqual({ said: [expected], ours: ['reversals 10-10 10000', 'payouts 10-11 -10000'] });
    expect(part.verdicts).toMatchObject([{ field: 'reversal', line: back, side: 'ours' }]);
  });
});

describe('a collection that is under way by us', () => {
  const pending = ourRow('collection', 'pending', { amount: '100.00' });
  const paid = theirLine('collection', '100.00', { row: 2 });

  test('and is paid in the file has another outcome, also before it is due', () => {
    const terms = octoberTerms({ dueDay: () => '2026-11-12' });
    for (const one of [caseOf(pending, [paid]), caseOf(pending, [paid], { terms, goesOn: true })]) {
      expect(saidOf(judgePayment(one))).toEqual({
        ...{ said: ['status_mismatch/internal_vs_statement pending success 100.00'], ours: [] },
      });
    }
  });

  test('and paid and reversed in the file has another outcome, which moved nothing', () => {
    const back = theirLine('collection_reversal', '-100.00', { row: 3 });
    const part = judgePayment(caseOf(pending, [paid, back]));
    expect(saidOf(part)).toEqual({
      said: ['status_mismatch/internal_vs_statement pending reversed 0.00'],
      ours: ['collections 10-10 10000', 'reversals 10-10 -10000'],
    });
    expect(part.verdicts[0]?.line).toBe(back);
  });

  test('with lines that add up to nothing without a reversal has another outcome, too', () => {
    const lines = [paid, theirLine('adjustment', '-100.00', { row: 3 })];
    expect(saidOf(judgePayment(caseOf(pending, lines))).said).toEqual([
      'status_mismatch/internal_vs_statement pending success 0.00',
    ]);
  });
});

describe('charges in lines of their own', () => {
  const whole = { amount: '100.00', fees: '2.00', duty: '50.00' };
  const OURS = ['payouts 10-10 -10000', 'fees 10-10 -200', 'duty 10-10 -5000'];
  const charge = (type: 'fee' | 'duty', amount: string, date: string) => theirLine(type, amount, { date });

  test.each([
    ['the fee', [theirLine('payout', '-150.00', { duty: '50.00' })], [charge('fee', '-2.00', '2026-11-01')], '2.00'],
    ['both', [DEBIT], [charge('fee', '-2.00', '2026-11-01'), charge('duty', '-50.00', '2026-11-01')], '52.00'],
  ] as const)('that come after the period are a matter of time: %s', (_, lines, later, effect) => {
    const part = judgePayment(caseOf(payout('success', whole), [...lines, ...later]));
    expect(saidOf(part)).toEqual({ said: [`timing 100.00 - ${effect}`], ours: OURS });
    expect(part.verdicts[0]?.detail).toBe('a line of its charges came on 2026-11-01, after this period');
  });

  test('that are others than ours, or do not come, are a break', () => {
    const later = charge('fee', '-3.00', '2026-11-01');
    const lines = [theirLine('payout', '-150.00', { duty: '50.00' })];
    expect(saidOf(judgePayment(caseOf(payout('success', whole), lines))).said).toEqual(['fee_mismatch 2.00 0.00 2.00']);
    expect(saidOf(judgePayment(caseOf(payout('success', whole), [DEBIT, later]))).said).not.toEqual([]);
  });
});

describe('a debit from before the first day that is shown', () => {
  const older = (row: ReturnType<typeof payout>, lines: readonly ReturnType<typeof theirLine>[]) =>
    saidOf(judgePayment(caseOf(row, lines, { isOlder: true })));
  const charged = payout('reversed', { fees: '3.00', duty: '5.00' });

  test('is reversed by all of it, in one line or in several', () => {
    const [back, fee, duty] = [
      theirLine('payout_reversal', '108.00', { row: 3 }),
      theirLine('fee', '3.00', { row: 4 }),
      theirLine('duty', '5.00', { row: 5 }),
    ];
    expect(older(charged, [back])).toEqual({ said: [], ours: ['reversals 10-10 10800'] });
    const lines = [theirLine('payout_reversal', '100.00', { row: 3 }), fee, duty];
    expect(older(charged, lines)).toEqual({
      said: [],
      ours: ['fees 10-10 300', 'duty 10-10 500', 'reversals 10-10 10000'],
    });
    const less = [theirLine('payout_reversal', '90.00', { row: 3 }), fee, duty];
    expect(older(charged, less)).toEqual({
      said: ['amount_mismatch 100.00 90.00 -10.00'],
      ours: ['reversals 10-10 10000', 'fees 10-10 300', 'duty 10-10 500'],
    });
  });

  test('is reversed by another amount: a break of the difference', () => {
    expect(older(charged, [theirLine('payout_reversal', '90.00', { row: 3 })])).toEqual({
      said: ['amount_mismatch 108.00 90.00 -18.00'],
      ours: ['reversals 10-10 10800'],
    });
  });

  test('of a collection is what it brought', () => {
    const row = ourRow('collection', 'reversed', { amount: '100.00', fees: '3.00' });
    const back = theirLine('collection_reversal', '-97.00', { row: 3 });
    expect(older(row, [back])).toEqual({ said: [], ours: ['reversals 10-10 -9700'] });
  });

  test('whose reversal our record does not have is another outcome', () => {
    expect(older(payout('success'), [BACK])).toEqual({
      said: ['status_mismatch/internal_vs_statement success reversed 100.00'],
      ours: [],
    });
    const again = theirLine('payout_reversal', '-100.00', { row: 4, date: '2026-10-13' });
    expect(older(payout('success'), [BACK, again])).toEqual({ said: [], ours: [] });
    expect(older(payout('reversed'), [BACK, again]).said).toEqual([]);
  });
});
