import { expect, test } from 'vitest';
import { comingTimeFrom, instantOf, lengthOption, periodOf } from '../../../../cli/options/when.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00Z');
const LAGOS = { nowMs: NOW_MS, zone: 'Africa/Lagos' };
const shown = (text: string, option: 'since' | 'until', zone = 'Africa/Lagos') =>
  new Date(instantOf(text, option, { nowMs: NOW_MS, zone })).toISOString();

test.each([
  ['90s', '2026-11-20T11:58:30.000Z'],
  ['30m', '2026-11-20T11:30:00.000Z'],
  ['2h', '2026-11-20T10:00:00.000Z'],
  ['7d', '2026-11-13T12:00:00.000Z'],
  ['2w', '2026-11-06T12:00:00.000Z'],
  ['2026-11-19', '2026-11-18T23:00:00.000Z'],
  ['2026-11-19T10:00:00', '2026-11-19T09:00:00.000Z'],
  ['2026-11-19 10:00:00', '2026-11-19T09:00:00.000Z'],
  ['2026-11-19 10:00:00+03:00', '2026-11-19T07:00:00.000Z'],
  ['2026-11-19T10:00:00+01:00', '2026-11-19T09:00:00.000Z'],
  ['2026-11-19T10:00', '2026-11-19T09:00:00.000Z'],
  ['2026-11-19 10:00+03:00', '2026-11-19T07:00:00.000Z'],
  ['2026-11-19T10:00Z', '2026-11-19T10:00:00.000Z'],
  ['2026-11-19T10:00:00.5Z', '2026-11-19T10:00:00.500Z'],
])('%s since then', (text, expected) => {
  expect(shown(text, 'since')).toBe(expected);
});

test('a date as until includes that whole day', () => {
  expect(shown('2026-11-19', 'until')).toBe('2026-11-19T23:00:00.000Z');
  expect(shown('2026-10-25', 'until', 'Europe/London')).toBe('2026-10-26T00:00:00.000Z'); // a day of 25 hours
  expect(shown('2026-12-31', 'until')).toBe('2026-12-31T23:00:00.000Z');
  expect(shown('2h', 'until')).toBe('2026-11-20T10:00:00.000Z');
});

test('a period that ends before it begins is refused', () => {
  const period = (since: string, until: string) => periodOf({ since, until }, LAGOS);
  expect(() => period('2026-11-20', '2026-11-19')).toThrow(/--since 2026-11-20 is not before --until 2026-11-19/);
  expect(() => period('2h', '7d')).toThrow(expect.objectContaining({ kind: 'usage' }));
  expect(period('2026-11-19', '2026-11-19')).toEqual({
    sinceMs: Date.parse('2026-11-18T23:00:00Z'),
    untilMs: Date.parse('2026-11-19T23:00:00Z'),
  });
});

test('a time that clocks skip is refused by name, the times around it are taken', () => {
  const newYork = (text: string) => shown(text, 'since', 'America/New_York');
  for (const text of ['2026-03-08T02:30:00', '2026-03-08 02:00', '2026-03-08T02:59:59.9'])
    expect(() => newYork(text)).toThrow(`--since is "${text}": clocks in America/New_York skip this time.`);
  expect(newYork('2026-03-08T01:59:59')).toBe('2026-03-08T06:59:59.000Z');
  expect(newYork('2026-03-08T03:00')).toBe('2026-03-08T07:00:00.000Z');
  expect(newYork('2026-03-08T02:30:00-05:00')).toBe('2026-03-08T07:30:00.000Z');
  expect(newYork('2026-11-01T02:30')).toBe('2026-11-01T07:30:00.000Z');
  const coming = comingTimeFrom({ nowMs: NOW_MS, zone: 'America/New_York' });
  expect([coming('2027-03-14T02:30'), coming('2027-03-14T03:30')]).toEqual([null, Date.parse('2027-03-14T07:30:00Z')]);
});

test('a date to come means the end of that day in the zone', () => {
  const coming = (text: string) => comingTimeFrom(LAGOS)(text);
  expect(coming('2026-11-30')).toBe(Date.parse('2026-11-30T22:59:59.999Z'));
  expect(coming('7d')).toBe(Date.parse('2026-11-27T12:00:00Z'));
  expect(coming('soon')).toBeNull();
});

test.each(['', 'yesterday', '2', '2y', '-2h', '2026-02-30', '2026-11-20 10', '2026-11-20T10:0', '9999999d'])(
  'refused with the forms that work: %j',
  (text) => {
    expect(() => instantOf(text, 'since', LAGOS)).toThrow(
      expect.objectContaining({ kind: 'usage', hint: expect.stringMatching(/ISO time with offset/) }),
    );
  },
);

test('lengths of time, and text that is refused', () => {
  const { coerce } = lengthOption('older', { standard: '24h', describe: '' });
  expect(['90s', '24h', '7d', '0d'].map(coerce)).toEqual([90_000, 86_400_000, 604_800_000, 0]);
  for (const text of ['', '24', '1.5h', '-1h', '24 h', '2026-11-20']) {
    expect(() => coerce(text)).toThrow(/^--older is ".*": it (must be a length of time such as|needs a unit)/);
  }
});
