import { expect, test } from 'vitest';
import {
  afterAttempt,
  headTurn,
  isAttemptHeld,
  isFailing,
  LONGEST_RETRY_AFTER_MS,
  leaseEndMs,
  longestWaitMs,
  mayDrop,
  type RowFacts,
  retried,
  retryRefusal,
  STANDARD_RETRY,
} from '../../../../src/domain/forwarding/forward-row.ts';

const NOW = 1_000_000_000_000;
const rules = { firstMs: 5_000, maxMs: 60_000, giveUpMs: 3_600_000 };
const row: RowFacts = {
  state: 'waiting',
  attempts: 1,
  firstAttemptAtMs: NOW - 10,
  leasedUntilMs: NOW + 1,
  dueAtMs: NOW + 1,
};
const after = (
  over: Partial<RowFacts>,
  outcome: 'delivered' | 'refused' | 'stopped',
  retryAfterMs: number | null = null,
  random = 1,
) => afterAttempt({ ...row, ...over }, { outcome, retryAfterMs }, { nowMs: NOW, rules, random: () => random });

test('the waits double up to the longest', () => {
  expect([1, 2, 3, 4, 5, 2_000].map((attempts) => longestWaitMs(attempts, rules))).toEqual([
    5_000, 10_000, 20_000, 40_000, 60_000, 60_000,
  ]);
  expect(STANDARD_RETRY).toEqual({ firstMs: 5_000, maxMs: 14_400_000, giveUpMs: 259_200_000 });
});

test.each([
  [{}, 'delivered', null, 1, { state: 'delivered', leasedUntilMs: null }],
  [{}, 'refused', null, 0.5, { state: 'failing', dueAtMs: NOW + 2_500 }],
  [{ attempts: 3 }, 'refused', null, 0, { state: 'failing', dueAtMs: NOW }],
  [{}, 'refused', 7_000, 1, { state: 'failing', dueAtMs: NOW + 7_000 }],
  [{}, 'refused', 7_000, 0, { state: 'failing', dueAtMs: NOW + 7_000 }],
  [{ firstAttemptAtMs: NOW - 3_599_999 }, 'refused', null, 1, { state: 'failing' }],
  [{ firstAttemptAtMs: NOW - 3_600_000 }, 'refused', null, 1, { state: 'dead' }],
  [{ firstAttemptAtMs: NOW - 3_600_000 }, 'stopped', null, 1, { state: 'failing', dueAtMs: NOW }],
  [{ firstAttemptAtMs: NOW - 3_600_000 }, 'delivered', null, 1, { state: 'delivered' }],
] as const)('%j, %s, Retry-After %s, random %s', (over, outcome, retryAfterMs, random, expected) => {
  expect(after(over, outcome, retryAfterMs, random)).toMatchObject(expected);
});

test.each([
  [{}, 1, true],
  [{}, 2, false],
  [{ leasedUntilMs: NOW }, 1, false],
  [{ leasedUntilMs: null }, 1, false],
  [{ state: 'failing' }, 1, true],
  [{ state: 'dropped' }, 1, false],
] as const)('%j is held by attempt %s: %s', (over, attempt, expected) => {
  expect(isAttemptHeld({ ...row, ...over }, attempt, NOW)).toBe(expected);
});

const head = { ...row, leasedUntilMs: null, dueAtMs: NOW, isConfirmed: true, isReplayed: false, hasNewer: true };
test.each([
  [{}, 'send'], // never attempted
  [{ dueAtMs: NOW + 1 }, 'wait'],
  [{ leasedUntilMs: NOW + 1, state: 'failing' }, 'wait'],
  [{ leasedUntilMs: NOW }, 'supersede'], // its lease ran out
  [{ state: 'failing' }, 'supersede'],
  [{ state: 'failing', dueAtMs: NOW + 1 }, 'supersede'],
  [{ state: 'failing', hasNewer: false }, 'send'],
  [{ state: 'failing', isConfirmed: false }, 'send'],
  [{ state: 'failing', isReplayed: true }, 'send'],
] as const)('the head %j: %s', (over, expected) => {
  expect(headTurn({ ...head, ...over }, NOW)).toBe(expected);
});

test.each([
  [{ state: 'failing' }, true],
  [{ leasedUntilMs: NOW }, true],
  [{}, false],
  [{ leasedUntilMs: null }, false],
  [{ state: 'dead' }, false],
] as const)('%j is failing: %s', (over, expected) => {
  expect(isFailing({ ...row, ...over }, NOW)).toBe(expected);
});

const dead = { state: 'dead', leasedUntilMs: null, isConfirmed: true, isOvertaken: false, isBodyGone: false } as const;
test.each([
  [{}, null],
  [{ isOvertaken: true }, 'overtaken'],
  [{ state: 'dropped', isOvertaken: true }, 'overtaken'],
  [{ isOvertaken: true, isConfirmed: false }, null],
  [{ isOvertaken: true, state: 'failing' }, null],
  [{ state: 'dropped', isBodyGone: true }, 'body gone'],
  [{ state: 'dropped' }, null],
  [{ state: 'delivered' }, 'ended'],
  [{ state: 'superseded' }, 'ended'],
  [{ state: 'waiting', leasedUntilMs: NOW + 1 }, 'under way'],
] as const)('retry of %j is refused: %s', (over, expected) => {
  expect(retryRefusal({ ...dead, ...over }, NOW)).toBe(expected);
});

test('a retried row is due now; only a dead or dropped one begins its age anew, and none its attempts', () => {
  const failing = { ...row, state: 'failing', dueAtMs: NOW + 9 } as const;
  expect(retried(failing, NOW)).toEqual({ ...failing, leasedUntilMs: null, dueAtMs: NOW });
  expect(retried({ ...failing, state: 'dead' }, NOW)).toMatchObject({
    state: 'failing',
    attempts: 1,
    firstAttemptAtMs: null,
  });
  expect(retried({ ...failing, state: 'dropped', attempts: 0 }, NOW)).toMatchObject({
    state: 'waiting',
    firstAttemptAtMs: null,
  });
});

test.each([
  [{ leasedUntilMs: null }, true],
  [{ state: 'failing', leasedUntilMs: NOW }, true],
  [{ state: 'dead', leasedUntilMs: null }, true],
  [{}, false],
  [{ state: 'delivered', leasedUntilMs: null }, false],
] as const)('%j may be dropped: %s', (over, expected) => {
  expect(mayDrop({ ...row, ...over }, NOW)).toBe(expected);
});

test('a lease outlasts the time limit of its attempt by ten seconds', () => {
  expect(leaseEndMs(NOW, 5_000)).toBe(NOW + 15_000);
});

test('a Retry-After counts for up to an hour', () => {
  expect(LONGEST_RETRY_AFTER_MS).toBe(3_600_000);
});

test('a row whose first attempt is not known is not given up', () => {
  expect(after({ firstAttemptAtMs: null }, 'refused')).toMatchObject({ state: 'failing' });
});

test('the wait is of whole milliseconds', () => {
  expect(after({}, 'refused', null, 0.12345).dueAtMs).toBe(NOW + 617);
});
