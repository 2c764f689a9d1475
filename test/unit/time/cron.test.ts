import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cronProblem, nextRun } from '../../../src/time/cron.ts';
import { changesOf, dateOf, runsByLooking, wallMs } from '../../support/minute-by-minute.ts';
import { randomRuns } from '../../support/random-runs.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const ZONES = Intl.supportedValuesOf('timeZone');
/** Every zone whose clocks change, with the days on which they do. */
const CHANGES = ZONES.flatMap((zone) => changesOf(zone, 2026, 2027).map((atMs) => ({ zone, atMs })));

const fixed = (least: number, most: number) => fc.integer({ min: least, max: most }).map(String);
const list = (least: number, most: number) =>
  fc.uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: 3 }).map((values) => values.join());
const fixedMinute = fc.oneof(fixed(0, 59), list(0, 59));
const fixedHour = fc.oneof(fixed(0, 4), fixed(0, 23), list(0, 23), fc.constant('1-3'));
const step = fc.constantFrom('*', '*/5', '*/15', '*/2', '0-30/10');
const days = fc.constantFrom('* * *', '* * 0', '* * 1-5', '1,15 * *', '29 2 *', '1-7 * 0', '* 3-4 6,7');
const expression = fc
  .tuple(fc.oneof(fixedMinute, step), fc.oneof(fixedHour, fc.constantFrom('*', '*/2')), days)
  .map((fields) => fields.join(' '));
/** Near a change of clocks, or any time in a dozen years. */
const moment = fc.oneof(
  fc
    .tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -3 * HOUR_MS, max: 3 * HOUR_MS }))
    .map(([{ zone, atMs }, distanceMs]) => ({ zone, atMs: atMs + distanceMs })),
  fc.record({
    zone: fc.constantFrom(...ZONES),
    atMs: fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2036, 0, 1) }),
  }),
);

test('zones whose clocks change by an hour, by half an hour and at midnight are among those that are tried', () => {
  const changing = new Set(CHANGES.map(({ zone }) => zone));
  expect([...changing]).toEqual(
    expect.arrayContaining(['Europe/London', 'Australia/Lord_Howe', 'America/Santiago', 'Africa/Cairo']),
  );
  expect(ZONES).toContain('America/Sao_Paulo');
});

test('clocks that skip the hour before midnight are those of Greenland alone, as the documentation says', () => {
  const skipsIntoNextDate = CHANGES.filter(({ zone, atMs }) => {
    const firstSkippedMs = wallMs(atMs - MINUTE_MS, zone) + MINUTE_MS;
    return dateOf(firstSkippedMs) < dateOf(wallMs(atMs, zone));
  });
  expect([...new Set(skipsIntoNextDate.map(({ zone }) => zone))]).toEqual(['America/Godthab', 'America/Scoresbysund']);
});

test('around every change of clocks the next runs are those found by trying each minute', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...CHANGES),
      expression,
      fc.integer({ min: 0, max: MINUTE_MS - 1 }),
      (change, cron, ms) => {
        const [fromMs, toMs] = [change.atMs - 4 * HOUR_MS + ms, change.atMs + 8 * HOUR_MS];
        const found: number[] = [];
        let atMs = nextRun(cron, change.zone, fromMs);
        for (; atMs <= toMs; atMs = nextRun(cron, change.zone, atMs)) found.push(atMs);
        const fromMinute = Math.floor(fromMs / MINUTE_MS) * MINUTE_MS;
        expect(found).toEqual(runsByLooking(cron, change.zone, fromMinute, toMs));
      },
    ),
    { numRuns: randomRuns(200) },
  );
});

test('a daily job runs exactly once for every date of every zone, but for a time skipped before midnight', () => {
  fc.assert(
    fc.property(fc.constantFrom(...CHANGES), fixed(0, 59), fixed(0, 23), ({ zone, atMs }, minute, hour) => {
      const timeOfDayMs = (Number(hour) * 60 + Number(minute)) * MINUTE_MS;
      const dates: number[] = [];
      let runMs = atMs - 3 * DAY_MS;
      while (dates.length < 6) {
        runMs = nextRun(`${minute} ${hour} * * *`, zone, runMs);
        dates.push(dateOf(wallMs(runMs, zone)));
      }
      const lastWallMs = wallMs(atMs - MINUTE_MS, zone);
      const plannedMs = dateOf(lastWallMs) * DAY_MS + timeOfDayMs;
      const isLost = lastWallMs < plannedMs && dateOf(lastWallMs) < dateOf(wallMs(atMs, zone));
      const [first = 0, last = 0] = [dates[0], dates.at(-1)];
      const everyDate = Array.from({ length: last - first + 1 }, (_, day) => first + day);
      expect(dates).toEqual(everyDate.filter((date) => !isLost || date !== dateOf(lastWallMs)));
    }),
    { numRuns: randomRuns(2_000) },
  );
});

test('the next run is later, and the same from any moment before it', () => {
  fc.assert(
    fc.property(moment, expression, fc.integer({ min: 1, max: 99 }), ({ zone, atMs }, cron, percent) => {
      const next = nextRun(cron, zone, atMs);
      expect(next).toBeGreaterThan(atMs);
      expect(nextRun(cron, zone, atMs + Math.floor(((next - atMs) * percent) / 100))).toBe(next);
    }),
    { numRuns: randomRuns(3_000) },
  );
});

describe('on the days of the change', () => {
  const runs = (cron: string, zone: string, from: string, count: number) => {
    const found: string[] = [];
    for (let atMs = Date.parse(from); found.length < count; found.push(new Date(atMs).toISOString().slice(0, 16))) {
      atMs = nextRun(cron, zone, atMs);
    }
    return found;
  };

  test.each([
    // 23 hours: 01:30 does not exist on 29 March.
    ['30 1 * * *', 'Europe/London', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:30']],
    // 25 hours: 01:30 comes twice on 25 October.
    ['30 1 * * *', 'Europe/London', '2026-10-24T12:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
    // What runs by the clock on the wall goes on through both hours.
    [
      '*/30 * * * *',
      'Europe/London',
      '2026-10-25T00:29Z',
      ['2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30'],
    ],
    ['30 2 * * *', 'America/New_York', '2026-03-07T12:00Z', ['2026-03-08T07:00', '2026-03-09T06:30']],
    ['30 1 * * *', 'America/New_York', '2026-10-31T12:00Z', ['2026-11-01T05:30', '2026-11-02T06:30']],
    // Half an hour: 02:15 is skipped on 4 October, 01:45 comes twice on 5 April.
    ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00Z', ['2026-10-03T15:30', '2026-10-04T15:15']],
    ['45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T00:00Z', ['2026-04-04T14:45', '2026-04-05T15:15']],
    // Midnight itself is skipped on 6 September.
    ['0 0 * * *', 'America/Santiago', '2026-09-05T12:00Z', ['2026-09-06T04:00', '2026-09-07T03:00']],
    // The hour before midnight is skipped on 28 March: the run of that date is lost.
    ['30 23 * * *', 'America/Nuuk', '2026-03-27T12:00Z', ['2026-03-28T01:30', '2026-03-30T00:30']],
    // No change since 2019.
    ['0 0 * * *', 'America/Sao_Paulo', '2026-11-01T00:00Z', ['2026-11-01T03:00', '2026-11-02T03:00']],
  ])('%s in %s after %s', (cron, zone, from, expected) => {
    expect(runs(cron, zone, from, expected.length)).toEqual(expected);
  });
});

test.each(['* * * * *', '*/15 * * * *', '30 2 * * 1-5', '0 0 29 2 *', '0 3 * * MON'])('%s is a schedule', (cron) => {
  expect(cronProblem(cron)).toBeNull();
});

test.each([
  ['', 'must have five fields'],
  ['hourly', 'must have five fields'],
  ['* * * * * *', 'must have five fields'],
  ['2027-01-01T00:00:00Z', 'must have five fields'],
  ['61 * * * *', 'Invalid value for minute: 61'],
  ['0 24 * * *', 'Invalid value for hour: 24'],
  ['a b c d e', 'is not a cron expression'],
  ['0 0 31 2 *', 'a day that never comes'],
])('%j is none: %s', (cron, rule) => {
  expect(cronProblem(cron)).toContain(rule);
});

test('a day that never comes has no next run', () => {
  expect(() => nextRun('0 0 31 2 *', 'UTC', 0)).toThrow('0 0 31 2 * names a day that never comes.');
});
