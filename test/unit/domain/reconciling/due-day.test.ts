import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { businessDays, dayPlus, daysFrom } from '../../../../src/domain/reconciling/business-day.ts';
import { businessDayAfter, dueDays, isBusinessDay, termOf } from '../../../../src/domain/reconciling/due-day.ts';
import { randomRuns } from '../../../support/random-runs.ts';

const days = businessDays({ zone: 'Africa/Lagos', cutOffMinutes: 1_440 });
// A Thursday.
const holidays = new Set(['2026-10-01']);
const dueOf = dueDays({ days, holidays });

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
  ])('%s', (_name, day, business_day, last) => expect(dueOf(day, { business_day })).toBe(last));

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

test.each([
  ['within the next day', 1, '2026-10-10'],
  ['to its end', 24, '2026-10-10'],
  ['beyond it, on a Sunday', 25, '2026-10-11'],
])('hours run from the end of the day: %s', (_name, hour, last) => {
  expect(dueOf('2026-10-09', { hour })).toBe(last);
  // A day that ends at a cut-off has its hours, too.
  const evening = businessDays({ zone: 'Africa/Lagos', cutOffMinutes: 18 * 60 });
  expect(dueDays({ days: evening, holidays })('2026-10-09', { hour })).toBe(last);
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

test('nothing is due before its own day, and a longer term never ends sooner', () => {
  const dayOf = fc.integer({ min: 0, max: 1_000 }).map((offset) => dayPlus('2026-01-01', offset));
  const property = fc.property(dayOf, fc.integer({ min: 0, max: 20 }), (day, count) => {
    const due = dueOf(day, { business_day: count });
    expect(due >= day).toBe(true);
    // On a Saturday 0 and 1 are both Monday.
    expect(dueOf(day, { business_day: count + 1 }) >= due).toBe(true);
    expect(dueOf(day, { business_day: count + 2 }) > due).toBe(true);
    // Lagos has no hour that clocks skip: 24 hours are a day.
    expect(dueOf(day, { hour: 24 * (count + 1) })).toBe(dayPlus(day, count + 1));
  });
  fc.assert(property, { numRuns: randomRuns(200) });
});
