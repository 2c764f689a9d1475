import { expect, test } from 'vitest';
import type { MatchRun } from '../../../../src/reconcile/judge/run.ts';
import { inTransit } from '../../../../src/reconcile/period/in-transit.ts';
import type { Unsettled } from '../../../../src/store/scratch/transit.ts';

const of = (day: string, paidDay: string | null, over: Partial<Unsettled> = {}): Unsettled => ({
  ...{ environment: 'test', currency: 'NGN', day, paidDay, records: 1, amount: 100n },
  ...over,
});

function byDay(...unsettled: readonly Unsettled[]): string[] {
  const run = {
    scratch: { unsettled: () => unsettled },
    sides: [{ number: 0, leg: { theirs: { statement: 'settlement' } } }],
    window: { from: '2026-10-01', until: '2026-10-05' },
  } as unknown as MatchRun;
  return inTransit(run).byDay.map((one) => `${one.currency} ${one.date} ${one.collections} ${one.amount}`);
}

test('every day of the period stands there, also those at whose end nothing was in transit', () => {
  expect(byDay(of('2026-09-30', '2026-10-02'), of('2026-10-04', null), of('2026-10-04', '2026-10-05'))).toEqual([
    'NGN 2026-10-01 1 100',
    'NGN 2026-10-02 0 0',
    'NGN 2026-10-03 0 0',
    'NGN 2026-10-04 2 200',
    'NGN 2026-10-05 1 100',
  ]);
});

test('so they do in each currency that has something in transit, and in no other one', () => {
  const dollars = { currency: 'USD', amount: 7n };
  expect(byDay(of('2026-10-05', null), of('2026-10-02', '2026-10-03', dollars))).toEqual([
    ...['NGN 2026-10-01 0 0', 'NGN 2026-10-02 0 0', 'NGN 2026-10-03 0 0', 'NGN 2026-10-04 0 0'],
    'NGN 2026-10-05 1 100',
    ...['USD 2026-10-01 0 0', 'USD 2026-10-02 1 7', 'USD 2026-10-03 0 0', 'USD 2026-10-04 0 0', 'USD 2026-10-05 0 0'],
  ]);
  expect(byDay()).toEqual([]);
});

test('what was collected and paid out on the same day alone makes no days', () => {
  expect(byDay(of('2026-10-03', '2026-10-03'))).toEqual([]);
});
