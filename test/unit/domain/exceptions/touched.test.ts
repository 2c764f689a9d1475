import { expect, test } from 'vitest';
import type { FollowScope } from '../../../../src/domain/exceptions/follow-scope.ts';
import { isCarriedInto, isTouched, type Sighted } from '../../../../src/domain/exceptions/touched.ts';

/** A fee of a wallet that the run of October found. */
const FEE: Sighted = {
  ...{ environment: 'live', account: 'wallet', currency: 'NGN', leg: 'wallet', kind: 'payout' },
  ...{ date: '2026-10-10', firstSeen: '2026-10-10', seenFrom: '2026-10-01', seenTo: '2026-10-31' },
  ...{ carriedUntil: null, carried: 0 },
};
const OPENING = { environment: 'live', account: 'wallet', currency: 'NGN', since: '2026-01-01', isRead: true } as const;
/** Every leg and account, October. */
const OCTOBER: FollowScope = {
  ...{ from: '2026-10-01', to: '2026-10-31', judgedDay: '2026-10-31', environment: null, account: null, leg: null },
  ...{ legs: ['wallet', 'bank'], kinds: null, first: '2026-10-01', openings: [], gone: [] },
};
const NOVEMBER: Partial<FollowScope> = { from: '2026-11-01', to: '2026-11-30', judgedDay: '2026-11-30' };
const touched = (one: Partial<Sighted>, scope: Partial<FollowScope> = {}) =>
  isTouched({ ...FEE, ...one }, { ...OCTOBER, ...scope });

test.each<[string, Partial<Sighted>, Partial<FollowScope>, boolean]>([
  ['the same days', {}, {}, true],
  ['its environment', {}, { environment: 'live' }, true],
  ['another environment', {}, { environment: 'test' }, false],
  ['its account', {}, { account: 'wallet' }, true],
  ['another account', {}, { account: 'bank' }, false],
  ['its leg', {}, { leg: 'wallet' }, true],
  ['another leg', {}, { leg: 'bank' }, false],
  ['one leg, which it has not', { leg: null }, { leg: 'wallet' }, false],
  ['one leg, whatever legs there are', {}, { leg: 'wallet', legs: [] }, true],
  ['all legs, of which it has none', { leg: null }, {}, true],
  ['all legs, and its leg is no more', { leg: 'old' }, {}, false],
  ['its kind', {}, { kinds: ['refund', 'payout'] }, true],
  ['another kind', {}, { kinds: ['refund'] }, false],
  ['kinds, of which it has none', { kind: null }, { kinds: ['payout'] }, false],
  ['every kind, of which it has none', { kind: null }, {}, true],
])('a run of %s', (_, one, scope, expected) => {
  expect(touched(one, scope)).toBe(expected);
});

// Found by a run of other days; what counts is its own day, and when it was due.
test.each<[string, Partial<Sighted>, boolean]>([
  ['of the first day', { date: '2026-10-01', firstSeen: '2026-10-01' }, true],
  ['of the last day', { date: '2026-10-31', firstSeen: '2026-10-31' }, true],
  ['of the day after', { date: '2026-11-01' }, false],
  ['due after the last judged day', { firstSeen: '2026-11-01' }, false],
  ['of the day before', { date: '2026-09-30' }, false],
])('a run of October judges one of a longer run, which is %s: %s', (_, one, expected) => {
  expect(touched({ seenFrom: '2026-09-01', seenTo: '2026-12-31', ...one })).toBe(expected);
});

test('a run that holds all days of the last one judges it, whatever its day', () => {
  const before = { date: '2026-09-30' };
  expect(touched(before)).toBe(true);
  expect(touched({ ...before, seenFrom: '2026-09-30' })).toBe(false);
  expect(touched({ ...before, seenTo: '2026-11-01' })).toBe(false);
});

test('one that was only carried into a run is judged by its own day, or where an opening balance is', () => {
  const carried: Partial<Sighted> = { date: '2026-09-30', leg: null, carried: 1 };
  expect(touched(carried)).toBe(false);
  expect(touched({ ...carried, leg: 'wallet' })).toBe(false);
  expect(touched({ ...carried, leg: 'wallet' }, { openings: [OPENING] })).toBe(true);
  expect(touched({ ...carried, carried: 0 })).toBe(true);
});

test('an opening balance of ours looks at earlier days of its account and currency, from the first one on', () => {
  const opened = (account: string, currency: string, first = '2026-10-10') =>
    touched({}, { ...NOVEMBER, first, openings: [{ ...OPENING, account, currency }] });
  expect([opened('wallet', 'NGN'), opened('wallet', 'USD'), opened('bank', 'NGN')]).toEqual([true, false, false]);
  expect(opened('wallet', 'NGN', '2026-10-11')).toBe(false);
  expect(touched({}, { ...NOVEMBER, first: '2026-10-01' })).toBe(false);
  const other = { ...OPENING, account: 'bank' };
  expect(touched({}, { ...NOVEMBER, openings: [other, OPENING] })).toBe(true);
});

test.each<[string, Partial<Sighted>, Partial<FollowScope>, boolean]>([
  ['of the next days', {}, {}, true],
  ['that begins on its last day', { carriedUntil: '2026-11-01' }, {}, false],
  ['while it is not carried', { carriedUntil: null }, {}, false],
  ['while it stands in a leg', { leg: 'wallet' }, {}, false],
  ['while it stands in an account', { account: 'wallet' }, {}, false],
  ['of one account', {}, { account: 'wallet' }, false],
  ['of one leg', {}, { leg: 'wallet' }, false],
  ['of its environment', {}, { environment: 'live' }, true],
  ['of another environment', {}, { environment: 'test' }, false],
  ['of its kind', {}, { kinds: ['refund', 'payout'] }, true],
  ['of another kind', {}, { kinds: ['refund'] }, false],
  ['of kinds, of which it has none', { kind: null }, { kinds: ['payout'] }, false],
  ['of every kind, of which it has none', { kind: null }, {}, true],
])('one about a record, carried until 31 October, goes into a run %s: %s', (_, one, scope, expected) => {
  const carried = { ...FEE, account: null, leg: null, carriedUntil: '2026-10-31', ...one };
  expect(isCarriedInto(carried, { ...OCTOBER, ...NOVEMBER, ...scope })).toBe(expected);
});
