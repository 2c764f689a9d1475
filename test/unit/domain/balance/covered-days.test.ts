import { expect, test } from 'vitest';
import {
  coveredDays,
  coverSome,
  daysText,
  lastShownDay,
  monthsOf,
  uncoveredDays,
} from '../../../../src/domain/balance/covered-days.ts';
import type { StatementSummary } from '../../../../src/store/statements.ts';

const file = (from: string, to: string, statesDays = false, name = 'bank') =>
  ({
    account: { name, environment: 'test' },
    covers: { from, to },
    balances: [],
    statesDays,
  }) as unknown as StatementSummary;
const EMPTY = { ...file('', ''), covers: null } as StatementSummary;
const october = () => [{ from: '2026-10-01', to: '2026-10-31' }];

test('after the last line of files that state no days, the period goes on; before the first it is not covered', () => {
  const files = [file('2026-10-26', '2026-10-28'), file('2026-10-15', '2026-10-16'), EMPTY];
  expect(coveredDays(files, 'NGN', october)).toEqual(
    ['15', '16', '26', '27', '28', '29', '30', '31'].map((day) => `2026-10-${day}`),
  );
  expect(lastShownDay(files)).toBe('2026-10-28');
  expect(lastShownDay([EMPTY])).toBeNull();
});

test('a file that states its days shows no other, and an account says nothing of the days of another one', () => {
  expect(coveredDays([file('2026-10-29', '2026-10-29', true)], 'NGN', october)).toEqual(['2026-10-29']);
  const other = file('2026-10-31', '2026-10-31', true, 'other');
  expect(coveredDays([file('2026-10-29', '2026-10-29'), other], 'NGN', october)).toHaveLength(3);
});

test('a few days between files that state none are covered, for each account', () => {
  const files = [file('2026-10-20', '2026-10-21'), file('2026-10-24', '2026-10-31')];
  expect(coveredDays(files, 'NGN', october)).toHaveLength(12);
  const apart = [file('2026-10-20', '2026-10-21'), file('2026-10-24', '2026-10-31', false, 'other')];
  expect(coveredDays(apart, 'NGN', () => [])).toHaveLength(10);
});

test('a file of another period adds nothing, and one that reaches beyond the period no day after its line', () => {
  expect(coveredDays([file('2026-11-02', '2026-11-02')], 'NGN', october)).toEqual(['2026-11-02']);
  expect(coveredDays([file('2026-10-31', '2026-11-02')], 'NGN', october)).toHaveLength(3);
});

test('without a period the month of the last line is one', () => {
  const files = [file('2026-02-27', '2026-02-27'), file('2026-12-30', '2026-12-30')];
  expect(monthsOf(files)({ name: 'bank', environment: 'test' } as StatementSummary['account'])).toEqual([
    { from: '2026-02-01', to: '2026-02-28' },
    { from: '2026-12-01', to: '2026-12-31' },
  ]);
});

test.each([
  ['2026-10-01', '2026-10-04', false],
  ['2026-10-01', '2026-10-05', true],
  ['2026-10-06', '2026-10-06', true],
  ['2026-10-07', '2026-10-08', false],
  ['2026-10-07', '2026-10-20', true],
  ['2026-10-10', '2026-10-31', false],
])('of some days, whether one lies from %s to %s', (from, to, expected) => {
  expect(coverSome(['2026-10-05', '2026-10-06', '2026-10-09'], { from, to })).toBe(expected);
  expect(coverSome([], { from, to })).toBe(false);
});

test('days that no range has are told as runs; none is missing where ranges meet', () => {
  const october = (from: string, to = from) => ({ from: `2026-10-${from}`, to: `2026-10-${to}` });
  const missing = uncoveredDays(october('01', '10'), [october('03', '04'), october('06'), october('10', '31')]);
  expect(daysText(missing)).toBe('2026-10-01..2026-10-02, 2026-10-05, 2026-10-07..2026-10-09');
  expect(uncoveredDays(october('01', '10'), [october('05', '10'), october('01', '04')])).toEqual([]);
});
