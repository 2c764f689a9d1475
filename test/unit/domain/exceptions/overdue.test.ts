import { expect, test } from 'vitest';
import { carriedUntil } from '../../../../src/domain/exceptions/carried-until.ts';
import { type Ageing, isOverdue, overdueBounds } from '../../../../src/domain/exceptions/overdue.ts';

const NONE: ReadonlySet<string> = new Set();
const one: Ageing = { status: 'open', resolution: null, approval: null, firstSeen: '2026-11-02', followUp: null };

test.each([
  // 2 November 2026 is a Monday; its five business days end with Monday the 9th.
  ['2026-11-09', 5, NONE, false],
  ['2026-11-10', 5, NONE, true],
  ['2026-11-10', 5, new Set(['2026-11-05']), false],
  ['2026-11-11', 5, new Set(['2026-11-05']), true],
  ['2026-11-02', 0, NONE, false],
  ['2026-11-03', 0, NONE, true],
])('first seen on Monday the 2nd, looked at on %s with %i business days', (today, days, holidays, isLate) => {
  expect(isOverdue(one, overdueBounds(today, days, holidays))).toBe(isLate);
});

test('resolved ones are not late, but while they wait for their approval, and claims after their follow-up', () => {
  const bounds = overdueBounds('2026-12-02', 5, NONE);
  const late = (over: Partial<Ageing>) => isOverdue({ ...one, ...over }, bounds);
  expect([
    late({ status: 'closed' }),
    late({ status: 'resolved', resolution: 'accept' }),
    late({ status: 'resolved', resolution: 'accept', approval: { state: 'needed' } }),
    late({ status: 'resolved', resolution: 'accept', approval: { state: 'given' } }),
    late({ status: 'resolved', resolution: 'claim', followUp: '2026-12-02' }),
    late({ status: 'resolved', resolution: 'claim', followUp: '2026-12-01' }),
    late({ status: 'resolved', resolution: 'carry', followUp: '2026-12-01' }),
  ]).toEqual([false, false, true, false, false, true, false]);
});

test.each([
  ['2026-10-20', '2026-10-01', '2026-10-31', '2026-10-31'],
  ['2026-10-10', '2026-10-01', '2026-10-15', '2026-10-15'],
  ['2026-10-20', '2026-10-01', '2026-11-15', '2026-10-31'],
  ['2026-11-05', '2026-10-01', '2026-11-30', '2026-11-30'],
  ['2026-10-31', '2026-10-31', '2026-11-30', '2026-10-31'],
  ['2026-09-20', '2026-11-01', '2026-11-30', '2026-11-30'],
  ['2026-12-20', '2026-12-01', '2027-01-31', '2026-12-31'],
  ['2028-02-03', '2028-02-01', '2028-03-31', '2028-02-29'],
])('of %s, found by a run from %s to %s, is carried until %s', (date, from, to, until) => {
  expect(carriedUntil(date, { from, to })).toBe(until);
});
