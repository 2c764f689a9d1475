import { expect, test } from 'vitest';
import {
  isFresh,
  mustTouch,
  newSession,
  type SessionTimes,
  sessionDigest,
  sessionId,
  sessionState,
} from '../../../../src/domain/access/session.ts';

const NOW = Date.UTC(2026, 9, 1, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const begun = newSession(NOW, { idleMs: 30 * MINUTE, absoluteMs: 12 * HOUR });
const used = (atMs: number): SessionTimes => ({ ...begun, seenAtMs: atMs });

test.each([
  ['as it begins', begun, NOW, 'live'],
  ['within its idle time', begun, NOW + 30 * MINUTE - 1, 'live'],
  ['at its idle end', begun, NOW + 30 * MINUTE, 'idle'],
  ['used again and again, until its absolute end', used(NOW + 12 * HOUR - 1), NOW + 12 * HOUR - 1, 'live'],
  ['used again and again, at its absolute end', used(NOW + 12 * HOUR - 1), NOW + 12 * HOUR, 'over'],
  ['the clock goes a day ahead', begun, NOW + 24 * HOUR, 'over'],
  ['the clock goes back a little', begun, NOW - 10 * MINUTE, 'live'],
  ['the clock goes back a day: begun in a time that is not yet', begun, NOW - 24 * HOUR, 'over'],
  ['used while the clock was a day ahead, then set right', used(NOW + 24 * HOUR), NOW + MINUTE, 'over'],
  [
    'used while the clock was a little ahead: no more than one idle time longer',
    used(NOW + 20 * MINUTE),
    NOW + 49 * MINUTE,
    'live',
  ],
  ['… and not longer', used(NOW + 20 * MINUTE), NOW + 50 * MINUTE, 'idle'],
] as const)('a session, %s', (_when, times, nowMs, state) => {
  expect(sessionState(times, nowMs)).toBe(state);
});

test.each([
  [0, false],
  [MINUTE - 1, false],
  [MINUTE, true],
  [-MINUTE, true], // the clock went back
])('%i ms after it was noted that a session is used, it is noted again: %s', (laterMs, isNoted) => {
  expect(mustTouch(begun, NOW + laterMs)).toBe(isNoted);
});

test.each([
  [0, true],
  [10 * MINUTE - 1, true],
  [10 * MINUTE, false],
  [-10 * MINUTE, false],
])('%i ms after a proof it is fresh: %s', (laterMs, fresh) => {
  expect(isFresh(begun, NOW + laterMs)).toBe(fresh);
});

test('the books keep what does not lead back to the cookie, and is of one cookie only', () => {
  const [one, other] = [sessionId(new Uint8Array(32)), sessionId(new Uint8Array(32).fill(1))];
  expect(one).toMatch(/^[\w-]{43}$/);
  expect(sessionDigest(one)).toMatch(/^[0-9a-f]{64}$/);
  expect(sessionDigest(one)).not.toBe(sessionDigest(other));
});
