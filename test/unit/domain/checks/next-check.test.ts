import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CheckedRecord, OUTCOMES } from '../../../../src/domain/checks/check.ts';
import { longestWaitMs, nextCheck, STANDARD_CHECK_RULES } from '../../../../src/domain/checks/next-check.ts';
import { isFinal, LIFECYCLES, RECORD_KINDS } from '../../../../src/domain/records/lifecycle.ts';
import { randomRuns } from '../../../support/random-runs.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const rules = { ...STANDARD_CHECK_RULES, jitter: 0 };

const checked = (over: Partial<CheckedRecord> = {}): CheckedRecord => ({
  kind: 'payout',
  outcome: 'answered',
  reported: null,
  confirmed: 'pending',
  lagging: false,
  doubted: false,
  attempts: 1,
  failures: 0,
  settledAtMs: null,
  nowMs: NOW_MS,
  ...over,
});
const waitOf = (over: Partial<CheckedRecord>) => {
  const { dueAtMs } = nextCheck(checked(over), rules, () => 0);
  return dueAtMs === null ? null : dueAtMs - NOW_MS;
};

describe('not settled (decision 73)', () => {
  test.each([
    [1, 1],
    [2, 5],
    [3, 15],
    [4, 60],
    [5, 360],
    [6, 1_440],
    [7, 1_440],
    [39, 1_440],
  ])('after check %i: %i minutes', (attempts, minutes) => {
    expect(waitOf({ attempts })).toBe(minutes * MINUTE_MS);
  });

  test('a refund that awaits settlement is checked hourly, for weeks', () => {
    const waiting = { kind: 'refund', confirmed: 'awaiting_settlement' } as const;
    expect(waitOf({ ...waiting, attempts: 100 })).toBe(60 * MINUTE_MS);
    expect(nextCheck(checked({ ...waiting, attempts: 671 }), rules, () => 0).stuck).toBe(false);
    expect(nextCheck(checked({ ...waiting, attempts: 672 }), rules, () => 0)).toEqual({
      dueAtMs: null,
      stuck: true,
    });
  });

  test('after a failure the short waits come again', () => {
    expect(waitOf({ outcome: 'unavailable', attempts: 20, failures: 1 })).toBe(MINUTE_MS);
    expect(waitOf({ outcome: 'no_answer', attempts: 21, failures: 2 })).toBe(5 * MINUTE_MS);
  });

  test('after the last attempt the record is stuck', () => {
    expect(nextCheck(checked({ attempts: 39 }), rules, () => 0).stuck).toBe(false);
    expect(nextCheck(checked({ attempts: 40 }), rules, () => 0)).toEqual({ dueAtMs: null, stuck: true });
  });

  test('the jitter is bounded, and only ever lengthens a wait', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 39 }), (random, attempts) => {
        const { dueAtMs } = nextCheck(checked({ attempts }), STANDARD_CHECK_RULES, () => random);
        const plain = waitOf({ attempts }) ?? 0;
        const wait = (dueAtMs ?? 0) - NOW_MS;
        expect(wait).toBeGreaterThanOrEqual(plain);
        expect(wait).toBeLessThanOrEqual(plain * 1.1 + 1);
      }),
    );
  });
});

describe('settled', () => {
  test('a final status is not checked again', () => {
    expect(waitOf({ kind: 'refund', confirmed: 'success' })).toBeNull();
    expect(waitOf({ confirmed: 'reversed' })).toBeNull();
  });

  test.each([
    [0, 1],
    [1, 6],
    [6.5, 0.5],
    [7, 23],
    [30, null],
    [400, null],
  ])('a payout that settled %d days ago: %d days', (passed, wait) => {
    expect(waitOf({ confirmed: 'success', settledAtMs: NOW_MS - passed * DAY_MS })).toBe(
      wait === null ? null : wait * DAY_MS,
    );
  });

  test('a record that the webhooks contradict is checked like an unsettled one', () => {
    expect(waitOf({ kind: 'refund', confirmed: 'success', reported: 'rejected', lagging: true })).toBe(MINUTE_MS);
  });

  test('a watched record whose check fails is never stuck', () => {
    const watched = { confirmed: 'success', settledAtMs: NOW_MS - DAY_MS, outcome: 'unavailable' } as const;
    expect(waitOf({ ...watched, attempts: 3, failures: 1 })).toBe(MINUTE_MS);
    expect(nextCheck(checked({ ...watched, attempts: 45, failures: 40 }), rules, () => 0)).toEqual({
      dueAtMs: null,
      stuck: false,
    });
  });
});

test('attempts made before settling do not count while watching', () => {
  const watched = { confirmed: 'success', settledAtMs: NOW_MS - 6 * DAY_MS, attempts: 45 } as const;
  expect(waitOf({ ...watched, outcome: 'unavailable', failures: 1 })).toBe(MINUTE_MS);
  expect(waitOf({ ...watched, outcome: 'unavailable', failures: 40 })).toBeNull();
  expect(waitOf({ ...watched, outcome: 'pending' })).toBe(DAY_MS);
});

test('an unproven endpoint uses up no attempts of a record (decision 72)', () => {
  for (const attempts of [1, 40, 4_000]) {
    expect(nextCheck(checked({ outcome: 'unproven', confirmed: null, attempts }), rules, () => 0)).toEqual({
      dueAtMs: NOW_MS + 60 * MINUTE_MS,
      stuck: false,
    });
  }
});

test('a record that cannot be checked has no further check', () => {
  for (const outcome of ['unconfirmable', 'unaskable'] as const) {
    expect(nextCheck(checked({ outcome, confirmed: null }), rules, () => 0)).toEqual({
      dueAtMs: null,
      stuck: false,
    });
  }
});

test('every record is checked in the future, stuck, or never checked; one that is final and agrees is never stuck', () => {
  const kinds = fc.constantFrom(...RECORD_KINDS);
  const any = kinds.chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      outcome: fc.constantFrom(...OUTCOMES),
      reported: fc.constant(null),
      confirmed: fc.option(fc.constantFrom(...LIFECYCLES[kind].ranks.flat(), 'odd')),
      lagging: fc.boolean(),
      doubted: fc.boolean(),
      attempts: fc.integer({ min: 1, max: 2_000 }),
      failures: fc.nat(2_000),
      settledAtMs: fc.option(fc.integer({ min: NOW_MS - 90 * DAY_MS, max: NOW_MS })),
      nowMs: fc.constant(NOW_MS),
    }),
  );
  fc.assert(
    fc.property(any, fc.double({ min: 0, max: 1, noNaN: true }), (one, random) => {
      const { dueAtMs, stuck } = nextCheck(one, STANDARD_CHECK_RULES, () => random);
      expect(dueAtMs === null || dueAtMs > NOW_MS).toBe(true);
      expect(dueAtMs ?? 0).toBeLessThanOrEqual(NOW_MS + longestWaitMs(STANDARD_CHECK_RULES));
      expect(stuck && dueAtMs !== null).toBe(false);
      if (one.confirmed !== null && isFinal(one.kind, one.confirmed) && !one.lagging && !one.doubted)
        expect(stuck).toBe(false);
    }),
    { numRuns: randomRuns(2_000) },
  );
});

test('under a refused key the first wait comes again, however many checks there were', () => {
  expect(waitOf({ outcome: 'key_refused', attempts: 30, failures: 20, confirmed: 'success' })).toBe(MINUTE_MS);
  const { dueAtMs } = nextCheck(checked({ outcome: 'key_refused' }), { ...rules, unsettledMs: [] }, () => 0);
  expect(dueAtMs).toBe(NOW_MS + 60 * MINUTE_MS);
});

test('a record that was never checked waits as after its first check', () => {
  expect(waitOf({ attempts: 0 })).toBe(MINUTE_MS);
});

test('the longest wait is the longest of all, with its jitter', () => {
  expect(longestWaitMs({ ...rules, jitter: 0.5, unsettledMs: [40 * DAY_MS] })).toBe(60 * DAY_MS);
  expect(longestWaitMs(rules)).toBe(30 * DAY_MS);
  const short = { ...rules, unsettledMs: [1], awaitingSettlementMs: 1, watchMs: [1], unprovenMs: 1 };
  expect(longestWaitMs(short)).toBe(60 * MINUTE_MS);
});
