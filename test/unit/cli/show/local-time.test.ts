import { expect, test } from 'vitest';
import { localTime } from '../../../../cli/show/local-time.ts';

test.each([
  ['Africa/Lagos', '2026-11-20T23:30:00.999Z', '2026-11-21 00:30:00'],
  ['UTC', '2026-01-02T00:00:00Z', '2026-01-02 00:00:00'],
  ['Europe/London', '2026-10-25T00:30:00Z', '2026-10-25 01:30:00'], // summer time ends half an hour later
  ['Europe/London', '2026-10-25T01:30:00Z', '2026-10-25 01:30:00'],
  ['America/St_Johns', '2026-07-01T00:00:00Z', '2026-06-30 21:30:00'],
])('%s: %s is %s', (zone, instant, shown) => {
  expect(localTime(zone)(Date.parse(instant))).toBe(shown);
});
