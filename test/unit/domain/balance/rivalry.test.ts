import { expect, test } from 'vitest';
import { type CoveredDays, type HeldDay, overlaps, rivalryOf } from '../../../../src/domain/balance/rivalry.ts';

/* Two files of October. `1:100` is a line of 1.00; days are numbers. */

const day = (number: number) => `2026-10-${String(number).padStart(2, '0')}`;
const file = (
  from: number,
  to: number,
  opening: number | null = null,
  closing: number | null = null,
  sum = (closing ?? 0) - (opening ?? 0),
): CoveredDays => ({
  ...{ from: day(from), to: day(to) },
  opening: opening === null ? null : BigInt(opening),
  closing: closing === null ? null : BigInt(closing),
  sum: BigInt(sum),
  unparsed: 0,
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
  [
    'no line in common, and the same balances',
    file(1, 31, 100, 150),
    file(1, 31, 100, 150),
    [held(3, [50], [20, 30])],
    'contradicting',
  ],
  [
    'no line in common, and other balances',
    file(1, 31, 100, 150),
    file(1, 31, 200, 205),
    [held(3, [50], [5])],
    'contradicting',
  ],
  [
    'each its part of the day on which one begins and the other ends',
    file(5, 31),
    file(1, 5),
    [held(5, [50], [55], [1])],
    null,
  ],
  ['no line in common, without balances', file(1, 31), file(1, 31), [held(3, [50], [5])], null],
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
    'equal lines that add up to nothing: the files may overlap',
    file(1, 2, 100, 150),
    file(2, 3, 150, 200),
    [held(2, [], [], [-30, 30])],
    null,
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

test.each<[string, CoveredDays, CoveredDays, boolean]>([
  ['that share one day', file(1, 5), file(5, 9), true],
  ['of which one lies in the other', file(1, 9), file(4, 5), true],
  ['that follow each other', file(1, 4), file(5, 9), false],
])('files %s overlap: in either order', (_case, one, other, expected) => {
  expect([overlaps(one, other), overlaps(other, one)]).toEqual([expected, expected]);
});

test.each<[string, CoveredDays, CoveredDays, HeldDay[], string | null]>([
  [
    'both begin and one ends, from one balance on',
    file(1, 1, 100),
    file(1, 9, 100),
    [held(1, [50], [55], [1])],
    'contradicting',
  ],
  ['both begin and one ends, from two balances on', file(1, 1, 100), file(1, 9, 200), [held(1, [50], [55], [1])], null],
  [
    'both end and one begins, with one balance',
    file(9, 9, null, 100),
    file(1, 9, null, 100),
    [held(9, [50], [55], [1])],
    'contradicting',
  ],
  [
    'both end and one begins, with two balances',
    file(9, 9, null, 100),
    file(1, 9, null, 200),
    [held(9, [50], [55], [1])],
    null,
  ],
  ['both end and one begins, without balances', file(9, 9), file(1, 9), [held(9, [50], [55], [1])], null],
  ['both begin', file(1, 9, 100), file(1, 20, 200), [held(1, [50], [55], [1])], 'contradicting'],
  ['both end', file(2, 9, null, 100), file(1, 9, null, 200), [held(9, [50], [55], [1])], 'contradicting'],
  ['one begins, and the other ends later', file(1, 9), file(5, 20), [held(5, [50], [55], [1])], 'contradicting'],
  ['one begins where the other ends', file(1, 9), file(9, 20), [held(9, [50], [55], [1])], null],
  [
    'one ends and the other goes on, both began before',
    file(1, 9),
    file(2, 20),
    [held(9, [50], [55], [1])],
    'contradicting',
  ],
  [
    'the day is the first of one, which shows no more of it',
    file(5, 9),
    file(1, 20),
    [held(5, [50], [], [1])],
    'lacking',
  ],
  ['the first day of both shows fewer lines in one', file(1, 9, 100), file(1, 20, 100), [held(1, [50], [], [1])], null],
  ['the last day of both shows fewer lines in one', file(1, 9), file(2, 9), [held(9, [50], [], [1])], null],
])('on a day on which %s', (_case, one, other, days, how) => {
  expect(rivalryOf(one, other, days)?.how ?? null).toBe(how);
});

test.each<[string, CoveredDays, CoveredDays, HeldDay[], string | null]>([
  [
    'and lines that explain neither',
    file(1, 9, 100, 150),
    file(1, 9, 200, 250),
    [held(3, [], [], [50])],
    'contradicting',
  ],
  [
    'and one more line at the beginning of the first',
    file(1, 9, 100, 155),
    file(1, 9, 150, 155),
    [held(1, [50], [], [5])],
    null,
  ],
  [
    'and one more line at the beginning of the other',
    file(1, 9, 150, 155),
    file(1, 9, 100, 155),
    [held(1, [], [50], [5])],
    null,
  ],
  ['one of them unknown', file(1, 9), file(1, 9, 200, 250), [held(3, [], [], [50])], null],
  ['the other unknown', file(1, 9, 100, 150), file(1, 9), [held(3, [], [], [50])], null],
  ['also with another last day', file(1, 8, 100, 150), file(1, 9, 200, 250), [held(3, [], [], [50])], 'contradicting'],
  ['also with another first day', file(2, 9, 100, 150), file(1, 9, 200, 250), [held(3, [], [], [50])], 'contradicting'],
  ['that differ by one unit', file(1, 9, 100, 150), file(1, 9, 101, 151), [held(3, [], [], [50])], 'contradicting'],
])('files of the same days with two opening balances, %s', (_case, one, other, days, how) => {
  expect(rivalryOf(one, other, days)?.how ?? null).toBe(how);
});

test.each<[string, CoveredDays, CoveredDays, HeldDay[], string | null]>([
  ['the same closing balance', file(2, 2, 100, 150), file(2, 2, 120, 150), [held(2, [20], [], [5])], null],
  ['lines of the other alone, too', file(2, 2, 100, 150), file(2, 2, 120, 140), [held(2, [20], [3], [5])], null],
  ['no line alone', file(2, 2, 100, 150, 5), file(2, 2, 100, 140, 5), [held(2, [], [], [5])], null],
])('a file lacks lines of one day only by its closing balance: not with %s', (_case, one, other, days, how) => {
  expect(rivalryOf(one, other, days)?.how ?? null).toBe(how);
});

test('a file that goes on from the other repeats its lines in either order', () => {
  const [first, next] = [file(1, 2, 100, 150), file(2, 3, 150, 200)];
  const days = [held(2, [], [], [50])];
  expect([rivalryOf(first, next, days)?.how, rivalryOf(next, first, days)?.how]).toEqual(['repeating', 'repeating']);
  expect(rivalryOf(first, next, [held(2, [7], [8])])).toBeNull();
});

/* Balances must agree where files overlap, whatever lines they share: 1,000 on the 1st, 100 on the 5th, 50 on the 12th, 30 on the 25th. */
const start = file(1, 15, 1000, 1150);
test.each<[string, CoveredDays, CoveredDays, HeldDay[], string | null]>([
  [
    'opens as if a line of the first had not been',
    start,
    file(10, 31, 1100, 1130),
    [held(12, [50], [])],
    'contradicting',
  ],
  ['opens as if it had been another', start, file(10, 31, 1100, 1185), [held(12, [50], [55])], 'contradicting'],
  ['opens behind all lines of the first', start, file(10, 31, 1150, 1180), [held(12, [50], [])], null],
  ['opens elsewhere', start, file(10, 31, 1105, 1185), [held(12, [], [], [50])], 'contradicting'],
  ['begins where the first ends: lines between may be missing', start, file(15, 31, 1140, 1170), [], null],
  [
    'has a line that the first denies',
    file(1, 31, 1000, 1180),
    file(10, 15, 1100, 1157),
    [held(12, [50], [57])],
    'contradicting',
  ],
  [
    'has what the first lacks of its total',
    file(1, 31, 1000, 1180, 130),
    file(10, 15, 1100, 1150),
    [held(12, [], [50])],
    null,
  ],
])('the later one of two files %s, in either order', (_case, one, other, days, how) => {
  const turned = days.map((each) => ({ ...each, one: each.other, other: each.one }));
  expect([rivalryOf(one, other, days)?.how ?? null, rivalryOf(other, one, turned)?.how ?? null]).toEqual([how, how]);
});

test('rows that cannot be read may be what balances lack', () => {
  const days = [held(12, [50], [])];
  expect(rivalryOf(start, { ...file(10, 31, 1100, 1130), unparsed: 1 }, days)).toBeNull();
});
