import { expect, test } from 'vitest';
import { type BurstMark, isBurst, markBurst } from '../../../../src/domain/alerts/alert-burst.ts';

const RULE = { least: 20, windowMs: 600_000 };
const at = (minute: number) => Date.parse('2026-11-20T10:00:00Z') + minute * 60_000;

/** Looks at the counter at each minute; returns whether there is a burst, and how large. */
function bursts(looks: readonly (readonly [minute: number, total: number])[]) {
  let mark: BurstMark | null = null;
  return looks.map(([minute, total]) => {
    mark = markBurst(mark, total, RULE, at(minute));
    return isBurst(mark, RULE.windowMs, at(minute)) ? mark.rose : 0;
  });
}

test.each<[string, Parameters<typeof bursts>[0], readonly number[]]>([
  [
    'what was counted before the first look is no burst',
    [
      [0, 9_999],
      [1, 9_999],
    ],
    [0, 0],
  ],
  [
    '19 within ten minutes are none, 20 are one',
    [
      [0, 0],
      [9, 19],
      [9, 20],
    ],
    [0, 0, 20],
  ],
  [
    'the window begins anew after ten minutes',
    [
      [0, 0],
      [9, 19],
      [10, 19],
      [19, 38],
    ],
    [0, 0, 0, 0],
  ],
  [
    'a burst holds for ten minutes after its latest part',
    [
      [0, 0],
      [1, 25],
      [10, 25],
      [11, 25],
    ],
    [0, 25, 25, 0],
  ],
  [
    'a burst that goes on adds up',
    [
      [0, 0],
      [1, 30],
      [2, 60],
      [3, 61],
    ],
    [0, 30, 60, 60],
  ],
  [
    'a counter that is smaller than before is another one',
    [
      [0, 500],
      [1, 30],
      [2, 49],
      [3, 50],
    ],
    [0, 0, 0, 20],
  ],
])('%s', (_, looks, expected) => {
  expect(bursts(looks)).toEqual(expected);
});

test('a first look, and one by a clock that was set back, begin without a burst', () => {
  const fresh = { sinceMs: at(0), base: 7, burstAtMs: null, rose: 0 };
  expect(markBurst(null, 7, RULE, at(0))).toEqual(fresh);
  expect(markBurst({ sinceMs: at(1), base: 0, burstAtMs: at(1), rose: 30 }, 7, RULE, at(0))).toEqual(fresh);
});

test('two looks within one millisecond count as any others', () => {
  const mark = { sinceMs: at(0), base: 0, burstAtMs: null, rose: 0 };
  expect(markBurst(mark, 20, RULE, at(0))).toEqual({ sinceMs: at(0), base: 20, burstAtMs: at(0), rose: 20 });
});

test('a burst after a quiet window is counted by itself', () => {
  const mark = { sinceMs: at(0), base: 30, burstAtMs: at(0), rose: 30 };
  expect(markBurst(mark, 55, RULE, at(9)).rose).toBe(55);
  expect(markBurst(mark, 55, RULE, at(10)).rose).toBe(25);
});
