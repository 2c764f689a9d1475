import { expect, test } from 'vitest';
import { type CoveredDays, type HeldDay, rivalryOf } from '../../../src/domain/statement-rivals.ts';

/* Two files of October. `1:100` is a line of 1.00; days are numbers. */

const day = (number: number) => `2026-10-${String(number).padStart(2, '0')}`;
const file = (from: number, to: number, opening: number | null = null, closing: number | null = null): CoveredDays => ({
  ...{ from: day(from), to: day(to) },
  opening: opening === null ? null : BigInt(opening),
  closing: closing === null ? null : BigInt(closing),
});
const lines = (...amounts: number[]) => ({ lines: amounts.length, minor: BigInt(amounts.reduce((a, b) => a + b, 0)) });
const held = (number: number, one: number[], other: number[], both: number[] = []): HeldDay => ({
  ...{ day: day(number), one: lines(...one), other: lines(...other), both: lines(...both) },
});

test.each<[string, CoveredDays, CoveredDays, HeldDay[], string | null]>([
  [
    'a line of a whole day was changed',
    file(1, 31),
    file(1, 31),
    [held(1, [], [], [5]), held(10, [50], [55])],
    'contradicting',
  ],
  ['also in files of other days', file(1, 20), file(5, 31), [held(10, [50], [55], [1])], 'contradicting'],
  [
    'also when it moved to another day',
    file(1, 31),
    file(1, 31),
    [held(10, [50], [], [1]), held(11, [], [50])],
    'contradicting',
  ],
  [
    'of one day, from the same balance on',
    file(2, 2, 100, 151),
    file(2, 2, 100, 156),
    [held(2, [50], [55], [1])],
    'contradicting',
  ],
  [
    'of one day, without balances, beside equal lines',
    file(2, 2),
    file(2, 2),
    [held(2, [50], [55], [1])],
    'contradicting',
  ],
  ['another opening balance', file(1, 31, 100, 150), file(1, 31, 200, 250), [held(3, [], [], [50])], 'contradicting'],
  ['lines were taken out', file(1, 31), file(1, 31), [held(10, [50], [], [1])], 'lacking'],
  ['of one day, too', file(2, 2, 100, 151), file(2, 2, 100, 101), [held(2, [50], [], [1])], 'lacking'],
  ['lines came later', file(1, 31), file(1, 31), [held(10, [], [50], [1])], null],
  [
    'the day was not over when the first was made',
    file(1, 15),
    file(1, 31),
    [held(1, [], [], [5]), held(15, [], [7], [3])],
    null,
  ],
  ['one begins in a day in which the other ends', file(1, 15), file(15, 31), [held(15, [1], [2])], null],
  ['halves of a day', file(2, 2, 100, 150), file(2, 2, 150, 151), [held(2, [50], [1])], null],
  ['halves of a day that overlap', file(2, 2, 100, 160), file(2, 2, 150, 165), [held(2, [50], [5], [10])], null],
  ['a supplement shares no line', file(1, 31), file(3, 31), [held(10, [50], [5])], null],
  ['halves of a day without balances', file(2, 2), file(2, 2), [held(2, [50], [1])], null],
  [
    'equal lines of a day on which one goes on from the other',
    file(1, 2, 100, 150),
    file(2, 3, 150, 200),
    [held(2, [], [], [50])],
    'repeating',
  ],
  [
    'equal lines of a day on which files overlap',
    file(1, 2, 100, 150),
    file(2, 3, 100, 200),
    [held(2, [], [], [50])],
    null,
  ],
])('%s', (_, one, other, days, how) => {
  expect(rivalryOf(one, other, days)?.how ?? null).toBe(how);
});

test('it says which lines each has alone', () => {
  const days = [held(1, [], [], [5, 6]), held(10, [50, 2], [55]), held(31, [], [9])];
  expect(rivalryOf(file(1, 31), file(1, 31), days)).toEqual({
    ...{ how: 'contradicting', one: lines(50, 2), other: lines(55), both: lines(5, 6) },
  });
});
