import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterRelease,
  countsAtLease,
  isLeaseHeld,
  LONGEST_CHECK_LEASE_MS,
} from '../../../../src/domain/checks/check-lease.ts';

const check = { counter: 7, leasedUntilMs: 1_000, attempts: 3, failures: 2, settledAtMs: null, stuckAtMs: null };

describe('a check counts', () => {
  test.each([
    ['under its lease', {}, 7, 999, true],
    ['not when its lease is over', {}, 7, 1_000, false],
    ['not under an older counter', {}, 6, 999, false],
    ['not under a newer counter', {}, 8, 999, false],
    ['not once it was finished', { leasedUntilMs: null }, 7, 999, false],
  ])('%s', (_, over, counter, nowMs, held) => {
    expect(isLeaseHeld({ ...check, ...over }, counter, nowMs)).toBe(held);
  });
});

test('the longest lease is the hour that the configuration allows', () => {
  expect(LONGEST_CHECK_LEASE_MS).toBe(60 * 60_000);
});

describe('the counts of a check that begins', () => {
  test.each([
    ['the first', { attempts: 0, failures: 0 }, null, 500, { attempts: 1, failures: 0 }],
    ['another without news', check, 500, 500, { attempts: 4, failures: 2 }],
    ['of a check that never ended, without news', check, null, 0, { attempts: 4, failures: 2 }],
    ['after news since the last outcome', check, 500, 501, { attempts: 1, failures: 0 }],
    ['of a check that never ended, whose record has news', check, null, 1, { attempts: 1, failures: 0 }],
    ['after news that a clock which was ahead dates later than now', check, 500, 1_001, { attempts: 4, failures: 2 }],
  ])('%s', (_, { attempts, failures }, outcomeAtMs, changedAtMs, counts) => {
    expect(countsAtLease({ attempts, failures }, { outcomeAtMs, changedAtMs, nowMs: 1_000 })).toEqual(counts);
  });
});

describe('a lease that is given back', () => {
  const lease = { counter: 7, leasedUntilMs: 1_000, dueAtMs: 200 };

  test.each([
    ['is as due as before', {}, 1_000, { attempts: 2, dueAtMs: 200 }],
    ['keeps news that came meanwhile', {}, 600, { attempts: 2, dueAtMs: 600 }],
    ['keeps that a record is not due any more', {}, null, { attempts: 2, dueAtMs: null }],
    ['never has fewer than no attempts', { attempts: 0 }, 1_000, { attempts: 0, dueAtMs: 200 }],
    ['changes nothing under another counter', { counter: 8 }, 1_000, null],
    ['changes nothing once it was finished', { leasedUntilMs: null }, 1_000, null],
  ])('%s', (_, over, dueAtMs, after) => {
    expect(afterRelease({ ...check, ...over, dueAtMs }, lease)).toEqual(after);
  });

  test('undoes exactly the attempt that its lease counted', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), (attempts, failures) => {
        const counts = countsAtLease({ attempts, failures }, { outcomeAtMs: 2, changedAtMs: 1, nowMs: 3 });
        const released = afterRelease({ ...check, ...counts, dueAtMs: 1_000 }, lease);
        expect(released).toEqual({ attempts, dueAtMs: 200 });
      }),
    );
  });
});
