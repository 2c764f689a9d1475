import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AlertChange,
  type AlertState,
  afterCondition,
  afterRecovery,
  type Condition,
  whileHolding,
} from '../../../../src/domain/alerts/alert.ts';
import { randomRuns } from '../../../support/random-runs.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.parse('2026-11-20T10:00:00Z');
const TERMS = { coolDownMs: 60 * MINUTE_MS, remindMs: 24 * 60 * MINUTE_MS };
const stuck = (size = 1): Condition => ({ cause: 'stuck', subject: 'live', size, facts: { records: size } });

/** Judges once a step: a size holds, null does not. Returns what was told, by minute. */
function told(
  steps: readonly (readonly [minute: number, size: number | null])[],
  silencedUntilMs: number | null = null,
) {
  let alert: AlertState | null = null;
  return steps.flatMap(([minute, size]): (readonly [number, AlertChange, number])[] => {
    const nowMs = START_MS + minute * MINUTE_MS;
    if (alert !== null) alert = { ...alert, silencedUntilMs };
    if (size === null && (alert === null || alert.closedAtMs !== null)) return [];
    const judged: { alert: AlertState; change: AlertChange | null } =
      size === null
        ? afterRecovery(alert as unknown as AlertState, nowMs)
        : whileHolding(alert, stuck(size), TERMS, nowMs);
    alert = judged.alert;
    return judged.change === null ? [] : [[minute, judged.change, alert.openings]];
  });
}

test.each<[string, Parameters<typeof told>[0], ReturnType<typeof told>]>([
  [
    'a condition is told when it begins and when it ends',
    [
      [0, 1],
      [1, 1],
      [2, null],
      [3, null],
    ],
    [
      [0, 'opened', 1],
      [2, 'recovered', 1],
    ],
  ],
  [
    'it is told again when it has grown, after the cool-down',
    [
      [0, 1],
      [59, 2],
      [60, 2],
      [61, 3],
    ],
    [
      [0, 'opened', 1],
      [60, 'again', 1],
    ],
  ],
  [
    'without growing it is told again after a day',
    [
      [0, 1],
      [60, 1],
      [1439, 1],
      [1440, 1],
      [1441, 1],
    ],
    [
      [0, 'opened', 1],
      [1440, 'again', 1],
    ],
  ],
  [
    'one that shrinks is not told',
    [
      [0, 5],
      [60, 3],
      [61, 4],
      [120, 6],
    ],
    [
      [0, 'opened', 1],
      [120, 'again', 1],
    ],
  ],
  [
    'one that comes and goes is told once per cool-down, and its recovery only where the opening was',
    [
      [0, 1],
      [1, null],
      [2, 1],
      [3, null],
      [4, 1],
      [60, 1],
      [61, null],
    ],
    [
      [0, 'opened', 1],
      [1, 'recovered', 1],
      [60, 'opened', 3],
      [61, 'recovered', 3],
    ],
  ],
])('%s', (_, steps, expected) => {
  expect(told(steps)).toEqual(expected);
});

test('a silenced alert is judged and not told; what still holds is told when the silence is over', () => {
  const alert = whileHolding(null, stuck(), TERMS, START_MS).alert;
  const silenced = { ...alert, silencedUntilMs: START_MS + 120 * MINUTE_MS };
  const during = whileHolding(silenced, stuck(9), TERMS, START_MS + 119 * MINUTE_MS);
  expect(during).toMatchObject({ change: null, alert: { size: 9, noticedSize: 1 } });
  expect(whileHolding(during.alert, stuck(9), TERMS, START_MS + 120 * MINUTE_MS).change).toBe('again');
  expect(afterRecovery(during.alert, START_MS + 119 * MINUTE_MS).change).toBeNull();
});

test('an alert that a clock ahead of time told is told by the right clock', () => {
  const { alert } = whileHolding(null, stuck(), TERMS, START_MS + 400 * 24 * 60 * MINUTE_MS);
  expect(whileHolding(alert, stuck(), TERMS, START_MS).change).not.toBeNull();
});

test('only a clock that was ahead makes it told early: not a second judgement within the same millisecond', () => {
  const { alert } = whileHolding(null, stuck(), TERMS, START_MS);
  expect(whileHolding(alert, stuck(2), TERMS, START_MS).change).toBeNull();
  expect(whileHolding(alert, stuck(2), TERMS, START_MS - 1).change).toBe('again');
});

test('the first opening is told at once, whatever the clock', () => {
  expect(whileHolding(null, stuck(), TERMS, 1)).toMatchObject({ change: 'opened', alert: { noticedAtMs: 1 } });
});

test('for any course of a condition no two openings are told within a cool-down, and recoveries follow what was told', () => {
  const step = fc.tuple(fc.integer({ min: 1, max: 200 }), fc.option(fc.integer({ min: 1, max: 9 })));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (gaps) => {
      const minutes = gaps.map((_, index) => gaps.slice(0, index + 1).reduce((sum, [gap]) => sum + gap, 0));
      const changes = told(gaps.map(([, size], index) => [minutes[index] ?? 0, size] as const));
      const openings = changes.filter(([, change]) => change !== 'recovered').map(([at]) => at);
      for (const [index, at] of openings.entries()) {
        if (index > 0) expect(at - (openings[index - 1] ?? 0)).toBeGreaterThanOrEqual(60);
      }
      const order = changes.map(([, change]) => change);
      for (const [index, change] of order.entries()) {
        const before = order[index - 1];
        if (change === 'opened') expect(before === undefined || before === 'recovered').toBe(true);
        else expect(before === 'opened' || before === 'again').toBe(true);
      }
    }),
    { numRuns: randomRuns(500) },
  );
});

const failed = (reason?: string): Condition => {
  const condition = { cause: 'job_failed', subject: 'sweep', size: 1, facts: {} } as const;
  return reason === undefined ? condition : { ...condition, reason };
};

/** What is told of reasons that come one after the other, each a minute later. */
function toldOf(reasons: readonly (string | undefined)[]): (AlertChange | null)[] {
  let alert: AlertState | null = null;
  return reasons.map((reason, at) => {
    const nowMs = START_MS + at * MINUTE_MS;
    const judged: { alert: AlertState; change: AlertChange | null } = whileHolding(alert, failed(reason), TERMS, nowMs);
    alert = judged.alert;
    return judged.change;
  });
}

test('of nine reasons the one that was told longest ago is forgotten', () => {
  const DAY_MINUTES = 24 * 60;
  const terms = { ...TERMS, coolDownMs: DAY_MINUTES * MINUTE_MS };
  let alert: AlertState | null = null;
  const tell = (reason: string, minute: number) => {
    const nowMs = START_MS + minute * MINUTE_MS;
    const judged: { alert: AlertState; change: AlertChange | null } = whileHolding(alert, failed(reason), terms, nowMs);
    alert = judged.alert;
    return judged.change;
  };
  tell('a', 0);
  for (const reason of 'bcdefgh') tell(reason, DAY_MINUTES / 2);
  expect([tell('a', DAY_MINUTES), tell('i', DAY_MINUTES)]).toEqual(['again', 'again']);
  // b: the first, a, was told again after it.
  expect([...'acdefghi'].map((reason) => tell(reason, DAY_MINUTES + 1))).toEqual(Array(8).fill(null));
  expect(tell('b', DAY_MINUTES + 1)).toBe('again');
});

test('a reason that is told again, because it grew, displaces none', () => {
  const terms = { coolDownMs: 60 * MINUTE_MS, remindMs: 24 * 60 * MINUTE_MS };
  let alert: AlertState | null = null;
  const tell = (reason: string, minute: number, size = 1) => {
    const nowMs = START_MS + minute * MINUTE_MS;
    const judged: { alert: AlertState; change: AlertChange | null } = whileHolding(
      alert,
      { ...failed(reason), size },
      terms,
      nowMs,
    );
    alert = judged.alert;
    return judged.change;
  };
  for (const reason of 'abcdefgh') tell(reason, 0);
  expect(tell('d', 60, 2)).toBe('again');
  expect([...'abcdefgh'].map((reason) => tell(reason, 61))).toEqual(Array(8).fill(null));
});

test('a reason is not told at once where the alert was told without one, nor the other way round', () => {
  expect(toldOf([undefined, 'key'])).toEqual(['opened', null]);
  expect(toldOf(['key', undefined])).toEqual(['opened', null]);
});

test('each reason has a cool-down of its own', () => {
  expect(toldOf(['key', 'key', 'service', 'key', 'service'])).toEqual(['opened', null, 'again', null, null]);
});

test('a condition that began and ended between two judgements is told once, with when it held', () => {
  const over = { ...stuck(9), over: { fromMs: START_MS, toMs: START_MS + 5 } };
  const first = afterCondition(null, over, TERMS, START_MS + MINUTE_MS);
  expect(first).toMatchObject({
    change: 'recovered',
    alert: { openedAtMs: START_MS, closedAtMs: START_MS + 5, openings: 1, size: 9 },
  });
  expect(afterCondition(first.alert, over, TERMS, START_MS + 2 * MINUTE_MS).change).toBeNull();
});
