import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { businessDays, daysFrom } from '../../../../src/domain/reconciling/business-day.ts';
import { businessDayAfter, dueDays, isBusinessDay, isDue, termOf } from '../../../../src/domain/reconciling/due-day.ts';
import { randomRuns } from '../../../support/random-runs.ts';

const days = businessDays({ zone: 'Africa/Lagos', cutOffMinutes: 1_440 });
// A Thursday.
const holidays = new Set(['2026-10-01']);
const dueOf = dueDays({ days, holidays });
const at = (text: string) => Date.parse(text);
const shown = ({ day, endMs }: { day: string; endMs: number }) => `${day} ${new Date(endMs).toISOString()}`;

describe('business days', () => {
  test.each([
    ['a Friday', '2026-10-09', 1, '2026-10-12'],
    ['a Saturday', '2026-10-10', 1, '2026-10-12'],
    ['a Sunday', '2026-10-11', 1, '2026-10-12'],
    ['a Monday', '2026-10-12', 1, '2026-10-13'],
    ['a Friday and five', '2026-10-09', 5, '2026-10-16'],
    ['the day before a holiday', '2026-09-30', 1, '2026-10-02'],
    ['the holiday itself', '2026-10-01', 1, '2026-10-02'],
    ['none, on a business day', '2026-10-09', 0, '2026-10-09'],
    ['none, on a Saturday', '2026-10-10', 0, '2026-10-12'],
    ['the end of a year', '2026-12-31', 1, '2027-01-01'],
  ])('%s', (_name, day, business_day, last) => {
    const due = dueOf({ day, atMs: null }, { business_day });
    expect(due.day).toBe(last);
    // Lagos is an hour ahead: its day ends at 23:00 UTC.
    expect(new Date(due.endMs).toISOString()).toBe(`${last}T23:00:00.000Z`);
  });

  test('end at the cut-off', () => {
    const evening = businessDays({ zone: 'Africa/Lagos', cutOffMinutes: 18 * 60 });
    const due = dueDays({ days: evening, holidays })({ day: '2026-10-09', atMs: null }, { business_day: 1 });
    expect(shown(due)).toBe('2026-10-12 2026-10-12T17:00:00.000Z');
  });

  test('the nth of them after a day: as many lie between, and it is one itself', () => {
    const dayOf = fc
      .integer({ min: 0, max: 1_000 })
      .map((offset) => daysFrom('2026-01-01', '2028-12-31')[offset] as string);
    const property = fc.property(dayOf, fc.integer({ min: 1, max: 30 }), fc.array(dayOf), (day, count, off) => {
      const free = new Set(off);
      const last = businessDayAfter(day, count, free);
      const between = daysFrom(day, last).slice(1);
      // The oracle asks the calendar of the platform for the name of the day.
      const working = between.filter((one) => {
        const name = new Date(`${one}T12:00:00Z`).toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' });
        return !['Sat', 'Sun'].includes(name) && !free.has(one);
      });
      expect([working.length, working.at(-1), isBusinessDay(last, free)]).toEqual([count, last, true]);
    });
    fc.assert(property, { numRuns: randomRuns(200) });
  });
});

describe('hours', () => {
  test('run from the instant', () => {
    const start = { day: '2026-10-09', atMs: at('2026-10-09T10:00:00Z') };
    expect(shown(dueOf(start, { hour: 2 }))).toBe('2026-10-09 2026-10-09T12:00:00.000Z');
    expect(shown(dueOf(start, { hour: 13 }))).toBe('2026-10-09 2026-10-09T23:00:00.000Z');
    expect(shown(dueOf(start, { hour: 14 }))).toBe('2026-10-10 2026-10-10T00:00:00.000Z');
  });

  test('run from the end of the day, where only the day is known', () => {
    expect(shown(dueOf({ day: '2026-10-09', atMs: null }, { hour: 1 }))).toBe('2026-10-10 2026-10-10T00:00:00.000Z');
  });
});

test('a status has its own term, and any other status the default', () => {
  const due = { default: { business_day: 1 }, statuses: { reversed: { hour: 48 } } };
  expect(['reversed', 'success', 'constructor', null].map((status) => termOf({ due }, status))).toEqual([
    { hour: 48 },
    { business_day: 1 },
    { business_day: 1 },
    { business_day: 1 },
  ]);
});

test('what is of Friday is in time for the whole of Monday, and late with its end', () => {
  const due = dueOf({ day: '2026-10-09', atMs: null }, { business_day: 1 });
  const end = days.startOf('2026-10-13');
  expect([isDue(due, end - 1), isDue(due, end)]).toEqual([false, true]);
});

test('nothing is due before it began, and a longer term never ends sooner', () => {
  const instants = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-12-31T00:00:00Z') });
  const property = fc.property(instants, fc.integer({ min: 0, max: 20 }), (atMs, count) => {
    const start = { day: days.dayOf(atMs), atMs };
    const due = dueOf(start, { business_day: count });
    expect(due.endMs).toBeGreaterThan(atMs);
    // On a Saturday 0 and 1 are both Monday.
    expect(dueOf(start, { business_day: count + 1 }).endMs).toBeGreaterThanOrEqual(due.endMs);
    expect(dueOf(start, { business_day: count + 2 }).endMs).toBeGreaterThan(due.endMs);
    expect(dueOf(start, { hour: count + 1 }).endMs).toBe(atMs + (count + 1) * 3_600_000);
    expect(days.dayOf(due.endMs - 1)).toBe(due.day);
  });
  fc.assert(property, { numRuns: randomRuns(200) });
});
