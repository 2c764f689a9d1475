import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  businessDays,
  cutOffMinutesIn,
  cutOffText,
  daysBetween,
  daysFrom,
  firstDayBefore,
  isDay,
} from '../../../../src/domain/reconciling/business-day.ts';
import { randomRuns } from '../../../support/random-runs.ts';

const lagos = businessDays({ zone: 'Africa/Lagos', cutOffMinutes: 1_440 });
const evening = businessDays({ zone: 'Africa/Lagos', cutOffMinutes: 18 * 60 });
const ms = (text: string) => Date.parse(text);

describe('a day', () => {
  test.each([
    ['2026-10-13T22:59:59.999Z', '2026-10-13'],
    ['2026-10-13T23:00:00Z', '2026-10-14'],
    ['2026-10-14T22:59:59Z', '2026-10-14'],
  ])('in Lagos %s is %s', (text, day) => {
    expect(lagos.dayOf(ms(text))).toBe(day);
  });

  test.each([
    ['2026-10-14T16:59:59Z', '2026-10-14'],
    ['2026-10-14T17:00:00Z', '2026-10-15'],
  ])('with a cut-off of 18:00 %s is %s', (text, day) => {
    expect(evening.dayOf(ms(text))).toBe(day);
  });

  test('begins where the clocks skip its midnight', () => {
    const beirut = businessDays({ zone: 'Asia/Beirut', cutOffMinutes: 1_440 });
    expect(new Date(beirut.startOf('2026-03-29')).toISOString()).toBe('2026-03-28T22:00:00.000Z');
  });

  test('begins with the first instant of its date where the clocks skip midnight', () => {
    const saoPaulo = businessDays({ zone: 'America/Sao_Paulo', cutOffMinutes: 1_440 });
    const start = ms('2018-11-04T03:00:00Z');
    expect(saoPaulo.startOf('2018-11-04')).toBe(start);
    expect([start - 1, start].map(saoPaulo.dayOf)).toEqual(['2018-11-03', '2018-11-04']);
  });

  test.each([
    ['Pacific/Kiritimati', '2026-10-14T09:59:59.999Z', '2026-10-14'],
    ['Pacific/Kiritimati', '2026-10-14T10:00:00Z', '2026-10-15'],
    ['Etc/GMT+12', '2026-10-14T11:59:59.999Z', '2026-10-13'],
    ['Etc/GMT+12', '2026-10-14T12:00:00Z', '2026-10-14'],
  ])('far from UTC, in %s, %s is %s', (zone, text, day) => {
    expect(businessDays({ zone, cutOffMinutes: 1_440 }).dayOf(ms(text))).toBe(day);
  });

  test('that does not exist begins at no time', () => {
    expect(lagos.startOf('2026-02-30')).toBeNaN();
  });

  test('never goes back where the clocks do, whichever of the two 02:30 ends it', () => {
    for (const cutOffMinutes of [121, 150, 179]) {
      const berlin = businessDays({ zone: 'Europe/Berlin', cutOffMinutes });
      const night = Array.from({ length: 60 }, (_, index) => ms('2026-10-24T22:00:00Z') + index * 5 * 60_000);
      const days = night.map(berlin.dayOf);
      expect(days).toEqual(days.toSorted());
      expect(days.indexOf('2026-10-26')).toBe(night.findIndex((instant) => instant >= berlin.startOf('2026-10-26')));
    }
  });

  test('every instant belongs to exactly the day between whose starts it lies, in every zone and with every cut-off', () => {
    const zones = fc.constantFrom('Africa/Lagos', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Asia/Beirut');
    const cutOffs = fc.oneof(fc.constant(1_440), fc.integer({ min: 1, max: 1_440 }));
    // Half of them within hours of a change of the clocks in Berlin.
    const instants = fc.oneof(
      fc.integer({ min: ms('2025-01-01T00:00:00Z'), max: ms('2027-01-01T00:00:00Z') }),
      fc.integer({ min: ms('2026-10-24T12:00:00Z'), max: ms('2026-10-26T12:00:00Z') }),
    );
    const property = fc.property(zones, cutOffs, instants, (zone, cutOffMinutes, instant) => {
      const days = businessDays({ zone, cutOffMinutes });
      const day = days.dayOf(instant);
      const [next] = daysFrom(day, '2030-01-01').slice(1);
      expect([days.startOf(day) <= instant, instant < days.startOf(next as string)]).toEqual([true, true]);
    });
    fc.assert(property, { numRuns: randomRuns(300) });
  });
});

test('days are counted by the calendar', () => {
  expect(daysBetween('2026-02-27', '2026-03-01')).toBe(2);
  expect(daysBetween('2026-03-01', '2026-02-27')).toBe(0);
  expect(daysFrom('2026-12-30', '2027-01-02')).toEqual(['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02']);
  expect(['2026-02-29', '2026-13-01', '2026-1-1', 'today', '+012026-01', '2028-02-29'].map(isDay)).toEqual([
    false,
    false,
    false,
    false,
    false,
    true,
  ]);
});

test.each([
  ['18:00', 1_080],
  ['24:00', 1_440],
  ['00:01', 1],
  ['00:00', null],
  ['24:01', null],
  ['18:60', null],
  ['6:00', null],
  ['18:00:00', null],
])('a cut-off of %s is %s minutes after midnight', (text, minutes) => {
  expect(cutOffMinutesIn(text)).toBe(minutes);
});

test.each([
  ['2026-11-22', null, '2026-10-01'],
  ['2026-01-31', null, '2025-12-01'],
  ['2026-03-31', null, '2026-02-01'],
  ['2026-11-22', 1, '2026-11-21'],
  ['2026-03-01', 30, '2026-01-30'],
  ['0001-01-15', null, '0000-12-01'],
])('before %s, with %s days, the first day is %s', (day, days, first) => {
  expect(firstDayBefore(day, days)).toBe(first);
});

test.each([
  [1_440, '24:00'],
  [1_080, '18:00'],
  [61, '01:01'],
  [59, '00:59'],
])('a day that ends %s minutes after midnight ends at %s', (minutes, text) => {
  expect(cutOffText(minutes)).toBe(text);
  expect(cutOffMinutesIn(text)).toBe(minutes);
});
