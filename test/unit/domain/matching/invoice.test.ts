import { describe, expect, test } from 'vitest';
import {
  daysChargedOn,
  divided,
  type Invoice,
  invoicedDaysOf,
  judgeInvoice,
  tolerated,
} from '../../../../src/domain/matching/invoice.ts';
import { judgeGroup } from '../../../../src/domain/matching/judge.ts';
import { minor, octoberTerms, ourRow, said, theirLine } from '../../../support/matching/groups.ts';

describe('the days whose fees are charged together', () => {
  test.each([
    ['day', '2026-09-10', '2026-09-10', '2026-09-10', '2026-09-10'],
    ['month', '2026-09-01', '2026-09-01', '2026-09-30', '2026-09-30'],
    ['month', '2026-09-30', '2026-09-01', '2026-09-30', '2026-09-30'],
    ['month', '2028-02-10', '2028-02-01', '2028-02-29', '2028-02-29'],
    ['month', '2026-12-31', '2026-12-01', '2026-12-31', '2026-12-31'],
    ['previous_month', '2026-09-10', '2026-09-01', '2026-09-30', '2026-10-31'],
    ['previous_month', '2026-12-10', '2026-12-01', '2026-12-31', '2027-01-31'],
    ['previous_month', '2027-01-31', '2027-01-01', '2027-01-31', '2027-02-28'],
  ] as const)('%s, of a payment of %s: from %s to %s, by a line up to %s', (invoiced, day, from, to, lastLine) => {
    expect(invoicedDaysOf(invoiced, day)).toEqual({ from, to, lastLine });
  });

  test.each([
    ['day', '2026-10-03', '2026-10-03'],
    ['month', '2026-10-03', '2026-10-01'],
    ['previous_month', '2026-10-03', '2026-09-01'],
    ['previous_month', '2026-10-31', '2026-09-01'],
    ['previous_month', '2027-01-01', '2026-12-01'],
  ] as const)('%s, by a line of %s: those from %s on', (invoiced, date, from) => {
    expect(daysChargedOn(invoiced, date).from).toBe(from);
  });
});

const fee = (day: string, text: string) => ({ kind: 'collection' as const, day, minor: minor(text) });
const line = (amount: string, date: string) => theirLine('fee', amount, { date });
const OCTOBER = invoicedDaysOf('month', '2026-10-01');
const FEES = [fee('2026-10-05', '20.00'), fee('2026-10-20', '10.00')];

describe('the fees of October, of 20.00 on the 5th and 10.00 on the 20th', () => {
  const judged = (lines: Invoice['lines'], over: { until?: string; judgedDay?: string; tolerance?: bigint } = {}) => {
    const { until = '2026-10-31', judgedDay = until, tolerance = 0n } = over;
    const compare = { fee: { minor: tolerance }, tax: { minor: 0n }, duty: { minor: 0n } };
    const verdict = judgeInvoice(
      { days: OCTOBER, fees: FEES, lines },
      { until, judgedDay, dueDay: '2026-11-02', compare },
    );
    return verdict === null ? null : said(verdict);
  };

  test.each([
    ['a line of 30.00', [line('-30.00', '2026-10-31')], {}, null],
    ['two lines of it', [line('-20.00', '2026-10-15'), line('-10.00', '2026-10-31')], {}, null],
    ['a line of 32.00', [line('-32.00', '2026-10-31')], {}, 'fee_mismatch 30.00 32.00 -2.00'],
    ['a line of 29.00', [line('-29.00', '2026-10-31')], {}, 'fee_mismatch 30.00 29.00 1.00'],
    ['a line of 30.02, two of which are tolerated', [line('-30.02', '2026-10-31')], { tolerance: 2n }, null],
    ['a line of 30.03', [line('-30.03', '2026-10-31')], { tolerance: 2n }, 'fee_mismatch 30.00 30.03 -0.03'],
    ['no line, before it is due', [], { judgedDay: '2026-11-01' }, 'timing 30.00 0.00 30.00'],
    ['no line, once it is due', [], { judgedDay: '2026-11-02' }, 'fee_mismatch 30.00 0.00 30.00'],
    [
      'no line, which no tolerance covers',
      [],
      { judgedDay: '2026-11-02', tolerance: 9_999n },
      'fee_mismatch 30.00 0.00 30.00',
    ],
    ['a line that comes later', [line('-30.00', '2026-11-01')], { judgedDay: '2026-11-02' }, 'timing 30.00 0.00 30.00'],
    ['the middle of the month', [], { until: '2026-10-15' }, 'timing 20.00 0.00 20.00'],
    ['an early line', [line('-30.00', '2026-10-10')], { until: '2026-10-15' }, 'timing 20.00 30.00 -10.00'],
  ])('%s', (_, lines, over, expected) => {
    expect(judged(lines, over)).toBe(expected);
  });

  test('a fee line and a tax line are one charge: by us it divides as they do, and the break names the fee', () => {
    const lines = [theirLine('tax', '-2.00', { date: '2026-10-31', row: 3 }), line('-27.99', '2026-10-31')];
    const invoice = { days: OCTOBER, fees: FEES, lines };
    expect(divided(invoice, { until: '2026-10-31' })).toEqual([
      { row: 'tax', day: '2026-10-31', minor: -200n },
      { row: 'fees', day: '2026-10-31', minor: 200n },
    ]);
    expect(divided(invoice, { until: '2026-10-30' })).toEqual([]);
    const compare = { fee: { minor: 0n }, tax: { minor: 0n }, duty: { minor: 0n } };
    const terms = { until: '2026-10-31', judgedDay: '2026-11-05', dueDay: '2026-11-02', compare };
    expect(judgeInvoice(invoice, terms)).toMatchObject({ effect: 1n, line: lines[1], dueDay: null });
  });

  test('what is tolerated is by us as it is by them, on the day of its line', () => {
    const invoice = { days: OCTOBER, fees: FEES, lines: [line('-30.02', '2026-10-30')] };
    expect(tolerated(invoice, { until: '2026-10-31' })).toEqual([{ row: 'fees', day: '2026-10-30', minor: -2n }]);
    expect(tolerated({ ...invoice, lines: [line('-30.00', '2026-10-30')] }, { until: '2026-10-31' })).toEqual([]);
  });
});

describe('a payment whose fees are charged together', () => {
  const row = ourRow('collection', 'success', { amount: '100.00', fees: '2.00' });
  const judged = (...lines: ReturnType<typeof theirLine>[]) => {
    const { verdicts, chargedApart } = judgeGroup(row, lines, octoberTerms({ isInvoiced: true }));
    return [verdicts.map(said), chargedApart];
  };
  const apart = [{ kind: 'collection', day: '2026-10-10', minor: 200n }];

  test.each([
    ['agrees before charges', [theirLine('collection', '100.00')], [], apart],
    ['differs before charges', [theirLine('collection', '99.00')], ['amount_mismatch 100.00 99.00 -1.00'], apart],
    ['misses its line without them', [], ['missing_external 100.00 - -100.00'], apart],
    ['is charged by a line that is net of them', [theirLine('collection', '98.00')], [], []],
    [
      'is charged by a column',
      [theirLine('collection', '97.00', { fee: '3.00' })],
      ['fee_mismatch 2.00 3.00 -1.00'],
      [],
    ],
    [
      'is charged by a line of its own',
      [theirLine('collection', '100.00'), theirLine('fee', '-2.00', { row: 3 })],
      [],
      [],
    ],
    ['is charged between gross and net', [theirLine('collection', '98.00', { principal: '100.00' })], [], []],
  ])('%s', (_, lines, verdicts, fees) => {
    expect(judged(...lines)).toEqual([verdicts, fees]);
  });

  test('is charged nothing while it is not done', () => {
    for (const status of ['pending', 'failed', 'reversed']) {
      const { chargedApart } = judgeGroup({ ...row, status }, [], octoberTerms({ isInvoiced: true }));
      expect(chargedApart).toEqual([]);
    }
  });
});
