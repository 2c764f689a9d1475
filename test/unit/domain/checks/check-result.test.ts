import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OUTCOMES, UNCOUNTED_OUTCOMES } from '../../../../src/domain/checks/check.ts';
import { checkResult, type EndedCheck, refusedCheck } from '../../../../src/domain/checks/check-result.ts';
import { longestWaitMs, nextCheck, STANDARD_CHECK_RULES } from '../../../../src/domain/checks/next-check.ts';
import { isFinal, isSettled, RECORD_KINDS } from '../../../../src/domain/records/lifecycle.ts';
import { STATUSES } from '../observations.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const LEASED_UNTIL_MS = NOW_MS + MINUTE_MS;
const rules = { ...STANDARD_CHECK_RULES, jitter: 0 };
const check = {
  counter: 7,
  leasedUntilMs: LEASED_UNTIL_MS,
  attempts: 3,
  failures: 1,
  settledAtMs: null,
  stuckAtMs: null,
} as const;

const stated = (status: string | null, time: string | null = null) =>
  status === null ? null : { status, time, details: null };

interface Given extends Partial<Omit<EndedCheck, 'before' | 'after'>> {
  readonly reported?: string | null;
  readonly confirmed?: string | null;
  readonly dueAtMs?: number | null;
}

/** The result of a check; with an answer the answered status is confirmed, unless `left` names another. */
function result(given: Given = {}, left?: string | null) {
  const { reported = null, confirmed = null, dueAtMs = LEASED_UNTIL_MS, ...over } = given;
  const outcome = over.outcome ?? (over.answered === undefined ? 'unavailable' : 'answered');
  const before = { reported: stated(reported), confirmed: stated(confirmed), dueAtMs };
  const after = { ...before, confirmed: stated(left === undefined ? (over.answered ?? confirmed) : left) };
  const ended = { kind: 'payout', check, detail: null, answered: null, nowMs: NOW_MS, before, after, ...over } as const;
  return checkResult({ ...ended, outcome }, (record) => nextCheck(record, rules, () => 0));
}

describe('attempts and failures', () => {
  test.each([
    ['answered', 3, 0],
    ['pending', 3, 0],
    ['not_found', 3, 2],
    ['unavailable', 3, 2],
    ['rate_limited', 3, 2],
    ['unproven', 2, 1],
    ['key_refused', 2, 1],
  ] as const)('%s', (outcome, attempts, failures) => {
    expect(result({ outcome }).check).toMatchObject({ attempts, failures });
  });

  test('there are never fewer than no attempts', () => {
    const none = { ...check, attempts: 0 };
    expect(result({ check: none, outcome: 'key_refused' }).check.attempts).toBe(0);
  });

  test('an extra check counts as no attempt, and its failure does', () => {
    expect(result({ extra: { dueAtMs: null } }).check).toMatchObject({ attempts: 2, failures: 2 });
  });
});

describe('when the status is settled', () => {
  const settled = (over: object, status: string) => result({ check: { ...check, ...over }, answered: status });

  test.each([
    ['now, for the first time', {}, 'success', NOW_MS],
    ['since the time kept', { settledAtMs: NOW_MS - DAY_MS }, 'success', NOW_MS - DAY_MS],
    ['now, where a clock that was ahead kept a later time', { settledAtMs: NOW_MS + DAY_MS }, 'success', NOW_MS],
    ['not any more', { settledAtMs: NOW_MS - DAY_MS }, 'pending', null],
  ])('%s', (_, over, status, settledAtMs) => {
    expect(settled(over, status).check.settledAtMs).toBe(settledAtMs);
  });

  test('the effect says so once', () => {
    expect(result({ confirmed: 'pending', answered: 'success' }).effect).toMatchObject({
      changed: true,
      settled: true,
    });
    expect(result({ confirmed: 'success', answered: 'success' }).effect).toMatchObject({
      changed: false,
      settled: false,
    });
    expect(result({ confirmed: 'success', answered: 'reversed' }).effect).toMatchObject({
      changed: true,
      settled: false,
    });
  });
});

describe('the next due time', () => {
  const dueIn = (given: Given, left?: string | null) => {
    const { dueAtMs } = result(given, left).effect;
    return dueAtMs === null ? null : (dueAtMs - NOW_MS) / MINUTE_MS;
  };

  test('news that came during the check is not put off', () => {
    expect(dueIn({ answered: 'pending' })).toBe(15);
    expect(dueIn({ answered: 'pending', dueAtMs: NOW_MS + 30_000 })).toBe(0.5);
    expect(dueIn({ answered: 'reversed', dueAtMs: NOW_MS + 30_000 })).toBe(0.5);
    expect(dueIn({ answered: 'reversed' })).toBeNull();
  });

  test('news frees a record that would be stuck', () => {
    const spent = { ...check, attempts: 40, failures: 40 };
    expect(result({ check: spent }).effect).toMatchObject({ stuck: true, dueAtMs: null });
    expect(result({ check: spent, dueAtMs: NOW_MS }).effect).toMatchObject({ stuck: false, dueAtMs: NOW_MS });
  });

  test('an extra check puts nothing off while nothing is settled', () => {
    const extra = { dueAtMs: NOW_MS + 2 * MINUTE_MS };
    expect(dueIn({ extra, answered: 'pending' })).toBe(2);
    expect(dueIn({ extra, answered: 'success' })).toBe(1_440);
    expect(dueIn({ extra: { dueAtMs: null }, answered: 'pending' })).toBe(5);
  });

  test('an answer that contradicts a final status is repeated, not taken for settled', () => {
    expect(dueIn({ confirmed: 'reversed', answered: 'success' }, 'reversed')).toBe(15);
  });
});

describe('beside the webhooks', () => {
  test.each([
    ['ahead, and newly: a lost webhook is repaired', { reported: 'pending', answered: 'success' }, true, false],
    ['ahead, and known before', { reported: 'pending', confirmed: 'success', answered: 'success' }, false, false],
    ['ahead in a status without a webhook', { answered: 'pending' }, false, false],
    ['level', { reported: 'success', answered: 'success' }, false, false],
    ['behind', { reported: 'success', answered: 'pending' }, false, true],
    ['beside', { reported: 'on_hold', answered: 'in_review' }, false, true],
  ])('%s', (_, given, repaired, disagreed) => {
    expect(result(given).effect).toMatchObject({ repaired, disagreed });
  });

  test('a refund has a webhook for every status', () => {
    expect(result({ kind: 'refund', answered: 'pending' }).effect.repaired).toBe(true);
  });

  test('a check without an answer disagrees with nothing', () => {
    expect(result({ reported: 'success', confirmed: 'pending' }).effect.disagreed).toBe(false);
  });
});

describe('findings', () => {
  const spent = { ...check, attempts: 40, failures: 40 };

  test.each([
    ['none', { answered: 'success' }, []],
    ['stuck', { check: spent }, ['stuck status not settled after 40 checks; the last: unavailable']],
    [
      'stuck, with the reason',
      { check: spent, detail: 'HTTP 503' },
      ['stuck status not settled after 40 checks; the last: unavailable: HTTP 503'],
    ],
    [
      'unaskable',
      { outcome: 'unaskable' as const },
      ['unaskable reference this reference cannot be part of a path of the service'],
    ],
  ])('%s', (_, given, expected) => {
    const found = result(given).findings.map(({ code, subject, detail }) => `${code} ${subject} ${detail}`);
    expect(found).toEqual(expected);
  });

  test('stuck since the first time', () => {
    expect(result({ check: spent }).check.stuckAtMs).toBe(NOW_MS);
    expect(result({ check: { ...spent, stuckAtMs: 5 } }).check.stuckAtMs).toBe(5);
    expect(result({ check: { ...check, stuckAtMs: 5 } }).check.stuckAtMs).toBeNull();
  });
});

test('a check that does not count changes nothing', () => {
  const effect = refusedCheck(7);
  expect(effect).toMatchObject({ counter: 7, accepted: false, confirmed: null, dueAtMs: null });
  expect(Object.values(effect).filter((value) => value === true)).toEqual([]);
});

test('laws of every check', () => {
  const cases = fc.constantFrom(...RECORD_KINDS).chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      outcome: fc.constantFrom(...OUTCOMES),
      status: fc.constantFrom(...STATUSES[kind]),
      confirmed: fc.option(fc.constantFrom(...STATUSES[kind])),
      reported: fc.option(fc.constantFrom(...STATUSES[kind])),
      attempts: fc.nat(60),
      failures: fc.nat(60),
      settledAgoMs: fc.option(fc.integer({ min: -DAY_MS, max: 60 * DAY_MS })),
      newsMs: fc.option(fc.integer({ min: -DAY_MS, max: DAY_MS })),
    }),
  );
  fc.assert(
    fc.property(cases, ({ kind, outcome, status, settledAgoMs, newsMs, confirmed, reported, ...counts }) => {
      const settledAtMs = settledAgoMs === null ? null : NOW_MS - settledAgoMs;
      const answered = outcome === 'answered' ? status : null;
      const dueAtMs = newsMs === null ? LEASED_UNTIL_MS : NOW_MS + newsMs;
      const given = {
        kind,
        outcome,
        answered,
        confirmed,
        reported,
        dueAtMs,
        check: { ...check, ...counts, settledAtMs },
      };
      const { check: kept, effect } = result(given);
      expect(kept.attempts).toBeGreaterThanOrEqual(0);
      expect(kept.failures).toBeGreaterThanOrEqual(0);
      expect(kept.attempts).toBeLessThanOrEqual(counts.attempts);
      if (UNCOUNTED_OUTCOMES.includes(outcome)) expect(kept.failures).toBe(counts.failures);
      expect(kept.settledAtMs ?? NOW_MS).toBeLessThanOrEqual(NOW_MS);
      expect(kept.settledAtMs !== null).toBe(effect.confirmed !== null && isSettled(kind, effect.confirmed));
      expect(kept.stuckAtMs !== null).toBe(effect.stuck);
      expect(effect.dueAtMs ?? NOW_MS).toBeLessThanOrEqual(NOW_MS + longestWaitMs(rules));
      // News alone makes a record due before the shortest wait, and always does.
      const hasNews = newsMs !== null && dueAtMs !== LEASED_UNTIL_MS;
      if (hasNews) expect(effect.dueAtMs).toBeLessThanOrEqual(dueAtMs);
      else expect(effect.dueAtMs ?? Infinity).toBeGreaterThan(NOW_MS);
      const isWatched = outcome === 'answered' && kept.settledAtMs !== null && !effect.disagreed && !hasNews;
      if (!isWatched || effect.dueAtMs === null) return;
      expect(isFinal(kind, status)).toBe(false);
      expect(rules.watchMs).toContain(effect.dueAtMs - (kept.settledAtMs ?? 0));
    }),
  );
});

test('a check without an answer changes nothing of a record without a confirmed status', () => {
  expect(result({ reported: 'success' }).effect).toMatchObject({
    ...{ accepted: true, confirmed: null, changed: false, settled: false },
    ...{ repaired: false, disagreed: false, overdue: false },
  });
});

test('the next check is chosen by both statuses', () => {
  const seen: unknown[] = [];
  const both = { reported: stated('success'), confirmed: null };
  checkResult(
    {
      ...{ kind: 'payout', check, outcome: 'unavailable', detail: null, answered: null, nowMs: NOW_MS },
      ...{ before: { ...both, dueAtMs: null }, after: both },
    },
    (record) => {
      seen.push([record.reported, record.confirmed]);
      return { dueAtMs: null, stuck: false };
    },
  );
  expect(seen).toEqual([['success', null]]);
});
