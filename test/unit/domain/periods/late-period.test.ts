import { expect, test } from 'vitest';
import { latePeriod } from '../../../../src/domain/periods/late-period.ts';
import { type PeriodState, periodOf } from '../../../../src/domain/periods/period.ts';

const known = (name: string, state: PeriodState) => {
  const period = periodOf(name);
  if (period === null) throw new Error(`${name} is no period`);
  return { ...period, state };
};
const lateOn = (today: string, all: [string, PeriodState][], holidays: string[] = []) =>
  latePeriod(
    all.map(([name, state]) => known(name, state)),
    { today, closeWithin: 10, holidays: new Set(holidays) },
  );

test('a set that never closed a period has none that is late', () => {
  expect(lateOn('2027-06-01', [])).toBeNull();
});

// 30 November 2026 is a Monday: the tenth business day after it is Monday 14 December.
test.each([
  ['2026-12-14', null],
  ['2026-12-15', { period: '2026-11', to: '2026-11-30', dueDay: '2026-12-14' }],
])('on %s the month after the last closed one', (today, expected) => {
  expect(lateOn(today, [['2026-10', 'locked']])).toEqual(expected);
});

test('a holiday moves the day', () => {
  expect(lateOn('2026-12-15', [['2026-10', 'locked']], ['2026-12-08'])).toBeNull();
});

test('one that was opened again comes first', () => {
  const all: [string, PeriodState][] = [
    ['2026-09', 'locked'],
    ['2026-10', 'open'],
  ];
  expect(lateOn('2026-12-31', all)?.period).toBe('2026-10');
});

test('after half a month the rest of it is next', () => {
  const late = lateOn('2026-12-31', [['2026-11-01..2026-11-15', 'closed']]);
  expect(late?.period).toBe('2026-11-16..2026-11-30');
});

test('of several closed ones the last one counts', () => {
  const all: [string, PeriodState][] = [
    ['2026-09', 'locked'],
    ['2026-10', 'closed'],
  ];
  expect(lateOn('2026-12-15', all)?.period).toBe('2026-11');
});
