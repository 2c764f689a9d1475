import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareTimes, localToInstant, readTimestamp, startOfDayMs } from '../../../src/time/timestamp.ts';
import { randomRuns } from '../../support/random-runs.ts';

describe('a timestamp is parsed', () => {
  test.each([
    ['2026-07-01T10:00:00Z', '2026-07-01T10:00:00Z'],
    ['2026-07-01T10:00:00z', '2026-07-01T10:00:00Z'],
    ['2026-07-01 10:00:00Z', '2026-07-01T10:00:00Z'],
    ['2026-07-01T10:00:00+01:00', '2026-07-01T09:00:00Z'],
    ['2026-07-01T10:00:00+0100', '2026-07-01T09:00:00Z'],
    ['2026-07-01T10:00:00+01', '2026-07-01T09:00:00Z'],
    ['2026-07-01T10:00:00-00:00', '2026-07-01T10:00:00Z'],
    ['2026-01-01T00:30:00+05:45', '2025-12-31T18:45:00Z'],
    ['2026-12-31T23:30:00-09:30', '2027-01-01T09:00:00Z'],
    ['2026-07-01T10:00:00.000000Z', '2026-07-01T10:00:00Z'],
    ['2026-07-01T10:00:00.120Z', '2026-07-01T10:00:00.12Z'],
    ['2026-07-01T10:00:00.123456789012+01:00', '2026-07-01T09:00:00.123456789012Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00Z'],
  ])('%s is the instant %s', (text, utc) => {
    expect(readTimestamp(text)).toEqual({ kind: 'instant', text: utc });
  });

  test.each(['2026-07-01T10:00:00', '2026-07-01 10:00:00.120', '9999-12-30T23:59:59'])('%s names no zone', (text) => {
    expect(readTimestamp(text)).toEqual({ kind: 'local', text });
  });

  test.each([
    '',
    'yesterday',
    '2026-07-01',
    '2026-07-01T10:00Z',
    '1751364000',
    '2026-7-1T10:00:00Z',
    ' 2026-07-01T10:00:00Z',
    '2026-07-01T10:00:00Z\n',
    '2026-02-29T10:00:00Z',
    '2026-02-30T10:00:00',
    '2026-04-31T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-00-10T10:00:00Z',
    '2026-07-00T10:00:00Z',
    '2026-07-01T24:00:00Z',
    '2026-07-01T25:00:00Z',
    '2026-07-01T10:60:00Z',
    '2026-07-01T10:00:60Z',
    '2026-07-01T10:00:00,5Z',
    '2026-07-01T10:00:00.Z',
    '2026-07-01T10:00:00+24:00',
    '2026-07-01T10:00:00+01:60',
    '2026-07-01T10:00:00 Africa/Lagos',
    '+012026-07-01T10:00:00Z',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '9999-12-31T00:00:00',
    '0001-01-01T00:00:00',
    '0000-06-01T00:00:00',
    `2026-07-01T10:00:00.${'1'.repeat(65)}Z`,
  ])('%j is unreadable', (text) => {
    expect(readTimestamp(text)).toEqual({ kind: 'unreadable' });
  });

  test('one instant written with any offset is one text', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -1_439, max: 1_439 }), fractions, (seconds, offset, fraction) => {
        const zulu = `${iso(seconds)}.${fraction}Z`;
        const written = `${iso(seconds + offset * 60)}.${fraction}000${sign(offset)}`;
        expect(readTimestamp(written)).toEqual(readTimestamp(zulu));
      }),
    );
  });

  test('every day of four centuries exists or not as in a calendar', () => {
    for (let year = 1900; year < 2300; year += 7) {
      for (let month = 1; month <= 12; month++) {
        for (let day = 28; day <= 32; day++) {
          const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
          const length = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
          const text = `${year}-${two(month)}-${two(day)}T12:00:00Z`;
          expect(readTimestamp(text).kind, text).toBe(day <= length ? 'instant' : 'unreadable');
        }
      }
    }
  });
});

describe('order', () => {
  test('texts sort as instants do, fraction by fraction; no time comes before every time', () => {
    const stamps = fc.tuple(instants, fractions);
    fc.assert(
      fc.property(stamps, stamps, (one, other) => {
        const texts = [one, other].map(([seconds, fraction]) => utc(`${iso(seconds)}.${fraction}Z`));
        const [first, second] = texts as [string, string];
        const ticks = [one, other].map(
          ([seconds, fraction]) => BigInt(seconds) * 10n ** 12n + BigInt(fraction.padEnd(12, '0')),
        );
        const [left, right] = ticks as [bigint, bigint];
        expect(compareTimes(first, second)).toBe(left < right ? -1 : left > right ? 1 : 0);
        expect(compareTimes(null, first)).toBe(-1);
        expect(compareTimes(first, null)).toBe(1);
      }),
      { numRuns: randomRuns(2_000) },
    );
    expect(compareTimes(null, null)).toBe(0);
  });

  test.each([
    ['2026-07-01T10:00:00Z', '2026-07-01T10:00:00.000001Z'],
    ['2026-07-01T10:00:00.1Z', '2026-07-01T10:00:00.12Z'],
    ['2026-07-01T10:00:00.9Z', '2026-07-01T10:00:01Z'],
    ['0000-01-01T00:00:00Z', '0999-01-01T00:00:00Z'],
  ])('%s is before %s', (one, other) => {
    expect(compareTimes(one, other)).toBe(-1);
    expect(compareTimes(other, one)).toBe(1);
  });
});

describe('a time that names no zone', () => {
  test.each([
    ['2026-07-01T10:00:00', 'Africa/Lagos', '2026-07-01T09:00:00Z'],
    ['2026-01-01 00:30:00.1200', 'Africa/Lagos', '2025-12-31T23:30:00.12Z'],
    ['2026-07-01T10:00:00', 'UTC', '2026-07-01T10:00:00Z'],
    ['2026-01-15T10:00:00', 'Europe/Berlin', '2026-01-15T09:00:00Z'],
    ['2026-07-15T10:00:00', 'Europe/Berlin', '2026-07-15T08:00:00Z'],
    ['2026-03-29T01:59:59', 'Europe/Berlin', '2026-03-29T00:59:59Z'],
    ['2026-03-29T03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00Z'],
    ['2026-03-08T01:59:59', 'America/New_York', '2026-03-08T06:59:59Z'],
    ['2026-03-08T03:00:00', 'America/New_York', '2026-03-08T07:00:00Z'],
    ['2026-11-01T00:59:59', 'America/New_York', '2026-11-01T04:59:59Z'],
    ['2026-11-01T02:00:00', 'America/New_York', '2026-11-01T07:00:00Z'],
    ['2026-07-01T00:00:00', 'Asia/Kathmandu', '2026-06-30T18:15:00Z'],
    ['0001-01-02T00:00:00', 'Asia/Tokyo', '0001-01-01T14:41:01Z'],
    ['9999-12-30T23:59:59', 'America/New_York', '9999-12-31T04:59:59Z'],
  ])('%s in %s is %s', (text, zone, utcText) => {
    expect(localToInstant(text, zone)).toBe(utcText);
  });

  test.each(['Africa/Lagos', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Apia'])(
    'in %s an instant survives the way to the wall clock and back, except in a repeated hour',
    (zone) => {
      const wallClock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
      fc.assert(
        fc.property(fc.integer({ min: 946_684_800, max: 2_208_988_800 }), (seconds) => {
          const wall = wallClock.format(seconds * 1_000);
          const back = localToInstant(wall, zone);
          expect(wallClock.format(Date.parse(back))).toBe(wall);
          expect(Math.abs(Date.parse(back) - seconds * 1_000)).toBeLessThanOrEqual(3_600_000);
        }),
        { numRuns: randomRuns(300) },
      );
    },
  );

  test('an hour that the clocks skip or repeat still gives one answer, within an hour', () => {
    expect(localToInstant('2026-03-29T02:30:00', 'Europe/Berlin')).toMatch(/^2026-03-29T0[01]:30:00Z$/);
    expect(localToInstant('2026-10-25T02:30:00', 'Europe/Berlin')).toMatch(/^2026-10-25T0[01]:30:00Z$/);
  });
});

const instants = fc.integer({ min: Date.parse('0001-01-01T00:00:00Z') / 1_000 + 172_800, max: 253_402_000_000 });
const fractions = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 12 });

function iso(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 19);
}

function utc(text: string): string {
  const read = readTimestamp(text);
  return read.kind === 'instant' ? read.text : 'not an instant';
}

function sign(offsetMinutes: number): string {
  const size = Math.abs(offsetMinutes);
  return `${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

test.each([
  ['Africa/Lagos', '2026-11-20', '2026-11-19T23:00:00.000Z'],
  ['UTC', '2026-02-28', '2026-02-28T00:00:00.000Z'],
  ['Europe/London', '2026-10-26', '2026-10-26T00:00:00.000Z'],
  ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'], // midnight is skipped: the day begins at 01:00
  ['America/Asuncion', '2023-10-01', '2023-10-01T04:00:00.000Z'], // skipped, west of Greenwich
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'], // midnight comes twice
])('in %s the day %s begins at %s', (zone, day, expected) => {
  expect(new Date(startOfDayMs(day, zone) ?? 0).toISOString()).toBe(expected);
});

test.each(['2026-02-30', '2026-13-01', 'today', ''])('%j is no day', (day) => {
  expect(startOfDayMs(day, 'Africa/Lagos')).toBeNull();
});
