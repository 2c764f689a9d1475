import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  byteCount,
  day,
  deadline,
  duration,
  localTime,
  showTimesIn,
  time,
  timeHeader,
  timeInColumn,
  withTimes,
  wrapped,
} from '../../../../cli/show/text.ts';

test.each([
  [0, '0 µs'],
  [0.85, '850 µs'],
  [12, '12 ms'],
  [999.4, '999 ms'],
  [3400, '3.4 s'],
  [60_000, '1 min'],
  [125_000, '2 min 5 s'],
  [12_000_000, '3 h 20 min'],
  [352_800_000, '4 d 2 h'],
  [-12, '-12 ms'],
])('duration: %d ms is %s', (milliseconds, text) => {
  expect(duration(milliseconds)).toBe(text);
});

test.each([
  [null, '-'],
  [0, '1970-01-01 00:00:00+00:00'],
  ['2026-11-20T13:06:03.5+01:00', '2026-11-20 12:06:03+00:00'],
  ['no time\u001b', 'no time\ufffd'],
])('time: %s is %s', (instant, text) => {
  expect(time(instant)).toBe(text);
});

test.each([
  ['Africa/Lagos', '2026-11-20 23:00:00+01:00', '2026-11-20'],
  ['America/St_Johns', '2026-11-20 18:30:00-03:30', '2026-11-20'],
  ['Asia/Kolkata', '2026-11-21 03:30:00+05:30', '2026-11-21'],
])('in %s, text shows times with their offset: %s, of the day %s', (zone, text, ofDay) => {
  showTimesIn(zone);
  const atMs = Date.parse('2026-11-20T22:00:00Z');
  expect([time(atMs), day(atMs), timeInColumn(atMs)]).toEqual([text, ofDay, text.slice(0, 19)]);
  expect(timeHeader('DATE')).toEqual({ header: 'DATE', wideHeader: `DATE (${zone})` });
  showTimesIn('UTC');
});

test('a due time at the end of a day is that day', () => {
  expect(deadline(Date.parse('2026-11-30T23:59:59.999Z'))).toBe('2026-11-30');
  expect(deadline(Date.parse('2026-11-30T12:00:00Z'))).toBe('2026-11-30 12:00:00+00:00');
});

test.each([
  ['Africa/Lagos', '2026-11-20T23:30:00.999Z', '2026-11-21 00:30:00'],
  ['UTC', '2026-01-02T00:00:00Z', '2026-01-02 00:00:00'],
  ['Europe/London', '2026-10-25T00:30:00Z', '2026-10-25 01:30:00'], // summer time ends half an hour later
  ['Europe/London', '2026-10-25T01:30:00Z', '2026-10-25 01:30:00'],
  ['America/St_Johns', '2026-07-01T00:00:00Z', '2026-06-30 21:30:00'],
])('localTime: in %s, %s is %s', (zone, instant, text) => {
  expect(localTime(zone)(Date.parse(instant))).toBe(text);
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [106_496, '106 kB'],
  [4_500_000_000, '4.5 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(byteCount(bytes)).toBe(text);
});

test('wrapped lines keep every word, and the width where words allow it', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 40 }), (all, width) => {
      const lines = wrapped(all.join(' '), width);
      expect(lines.join(' ')).toBe(all.join(' '));
      for (const line of lines) if (line.includes(' ')) expect(line.length).toBeLessThanOrEqual(width);
      for (const [index, line] of lines.slice(1).entries()) {
        const [word = ''] = line.split(' ');
        expect(`${lines[index]} ${word}`.length).toBeGreaterThan(width);
      }
    }),
  );
  expect(wrapped('one line', Number.POSITIVE_INFINITY)).toEqual(['one line']);
});

test('our own times in a message are in the zone of times; a value that it quotes is not touched', () => {
  showTimesIn('Africa/Lagos');
  const at = '2026-11-23T07:06:46.984Z';
  const shown = '2026-11-23 08:06:46+01:00';
  expect(withTimes(`Match 1 was confirmed already: by ada, ${at}.`)).toBe(
    `Match 1 was confirmed already: by ada, ${shown}.`,
  );
  expect(withTimes(`Period 2026-10 is closed (by ada, ${at}).`)).toBe(`Period 2026-10 is closed (by ada, ${shown}).`);
  expect(withTimes(`x-1 was changed by ada at ${at}: it has version 2.`)).toContain(` at ${shown}: `);
  expect(withTimes(`importing since ${at}. The account is free ${at} at the latest.`)).toBe(
    `importing since ${shown}. The account is free ${shown} at the latest.`,
  );
  const quoted = `--since is "${at}": no time before 2026-11-23T07:06Z.`;
  expect(withTimes(quoted)).toBe(quoted);
});
