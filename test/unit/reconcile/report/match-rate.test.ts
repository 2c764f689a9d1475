import { expect, test } from 'vitest';
import type { CountedDay } from '../../../../src/reconcile/judge/match-counts.ts';
import { matchRate } from '../../../../src/reconcile/report/match-rate.ts';

const PERIOD = { from: '2026-10-01', to: '2026-10-04' };
const of = (date: string, matched: number, unmatched: number, over: Partial<CountedDay> = {}): CountedDay => ({
  ...{
    environment: 'test',
    leg: 'records-wallet',
    currency: 'NGN',
    date,
    matched,
    unmatched,
    notDue: 0,
    noStatement: 0,
  },
  ...over,
});
const byDay = (...days: readonly CountedDay[]) =>
  matchRate(days, PERIOD).byDay.map(({ leg, date, matched, unmatched, rate }) =>
    [leg, date, matched, unmatched, rate].join(' '),
  );

test('every day of the period has its rate, and one on which nothing was due has none', () => {
  expect(byDay(of('2026-10-02', 2, 1), of('2026-10-04', 1, 0), of('2026-10-02', 1, 0, { currency: 'USD' }))).toEqual([
    'records-wallet 2026-10-01 0 0 ',
    'records-wallet 2026-10-02 3 1 75.00',
    'records-wallet 2026-10-03 0 0 ',
    'records-wallet 2026-10-04 1 0 100.00',
  ]);
});

test('a leg of which nothing was due on any day has no days', () => {
  expect(byDay(of('2026-10-02', 0, 0, { notDue: 3 }))).toEqual([]);
});

test('of a leg whose days lie outside the period only those with something due are listed', () => {
  expect(byDay(of('2026-09-30', 1, 0), of('2026-10-02', 1, 0))).toEqual([
    'records-wallet 2026-09-30 1 0 100.00',
    'records-wallet 2026-10-02 1 0 100.00',
  ]);
});
