import { describe, expect, test } from 'vitest';
import { NO_RHYTHM, type Rhythm, usualGapMs, withGap } from '../../../../src/domain/alerts/rhythm.ts';

const DAY_MS = 86_400_000;
const rhythmOf = (...gaps: readonly number[]): Rhythm => gaps.reduce(withGap, NO_RHYTHM);

describe('the usual gap between arrivals', () => {
  test('is 0 before the second arrival, and then the gap between both', () => {
    expect(usualGapMs(NO_RHYTHM)).toBe(0);
    expect(usualGapMs(rhythmOf(5_000))).toBe(5_000);
  });

  test('is that around a random moment: long gaps count by their length', () => {
    expect(usualGapMs(rhythmOf(1_000, 3_000))).toBeCloseTo((1_000 ** 2 + 3_000 ** 2) / 4_000, 0);
  });

  test('is of the last week: a gap before a pause of seven days counts about a third', () => {
    const { gapSum, gapSquares } = rhythmOf(1_000_000, 7 * DAY_MS);
    expect(gapSum - 7 * DAY_MS).toBeCloseTo(1_000_000 / Math.E, 0);
    expect((gapSquares - (7 * DAY_MS) ** 2) / 1_000_000 ** 2).toBeCloseTo(1 / Math.E, 3);
  });

  test('is not changed by an arrival that a clock shows before the last one', () => {
    expect(rhythmOf(5_000, -1)).toEqual(rhythmOf(5_000));
    expect(rhythmOf(5_000, 0)).toEqual(rhythmOf(5_000));
  });
});

test('without any arrival every sum is zero', () => {
  expect(NO_RHYTHM).toEqual({ gapSum: 0, gapSquares: 0 });
});
