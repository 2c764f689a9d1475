import { expect, test } from 'vitest';
import { quietDays } from '../../../../src/domain/balance/covered-days.ts';
import type { StatementSummary } from '../../../../src/store/statements.ts';

interface Stated {
  /** Of NGN. */
  readonly opening?: bigint | null;
  readonly closing?: bigint | null;
  readonly statesDays?: boolean;
}

/** A file of days of October. */
function file(from: number, to: number, { opening = null, closing = null, statesDays = false }: Stated = {}) {
  const balances = [
    { currency: 'GHS', opening: 7n, closing: 7n, sum: 0n },
    { currency: 'NGN', opening, closing, sum: 0n },
  ];
  return { covers: { from: day(from), to: day(to) }, balances, statesDays } as unknown as StatementSummary;
}

const day = (of: number) => `2026-10-${String(of).padStart(2, '0')}`;
/** The days of October, in any order of the files. */
const quiet = (...files: StatementSummary[]) => {
  const days = quietDays(files, 'NGN').map((one) => Number(one.slice(-2)));
  expect(quietDays(files.toReversed(), 'NGN').map((one) => Number(one.slice(-2)))).toEqual(days);
  return days;
};

test.each<[string, StatementSummary, StatementSummary, number[]]>([
  ['the balance goes on', file(1, 2, { closing: 5n }), file(5, 7, { opening: 5n }), [3, 4]],
  ['it goes on over weeks', file(1, 2, { closing: 5n }), file(11, 12, { opening: 5n }), [3, 4, 5, 6, 7, 8, 9, 10]],
  ['something moved between', file(1, 2, { closing: 5n }), file(5, 7, { opening: 6n }), []],
  ['the account is empty for a few days', file(1, 2, { closing: 0n }), file(9, 9, { opening: 0n }), [3, 4, 5, 6, 7, 8]],
  ['it is empty for a week', file(1, 2, { closing: 0n }), file(10, 10, { opening: 0n }), []],
  ['no balance tells, for a few days', file(1, 2), file(9, 9), [3, 4, 5, 6, 7, 8]],
  ['no balance tells, for a week', file(1, 2), file(10, 10), []],
  ['one of both states a balance, for a few days', file(1, 2, { closing: 5n }), file(5, 5), [3, 4]],
  ['one of both states a balance, for a week', file(1, 2), file(10, 10, { opening: 5n }), []],
  ['they meet', file(1, 2), file(3, 4), []],
  ['one lies within the other', file(1, 9), file(3, 4), []],
  ['the earlier one states its days', file(1, 2, { statesDays: true }), file(5, 7), []],
  ['the later one states its days', file(1, 2), file(5, 7, { statesDays: true }), []],
])('between two files: %s', (_, earlier, later, expected) => {
  expect(quiet(earlier, later)).toEqual(expected);
});

test('of files that overlap, the one that reaches furthest is before the next', () => {
  const whole = file(1, 10, { closing: 8n });
  expect(quiet(whole, file(3, 5, { closing: 4n }), file(13, 13, { opening: 8n }))).toEqual([11, 12]);
  expect(quiet(whole, file(3, 5, { closing: 4n }), file(13, 13, { opening: 4n }))).toEqual([]);
});

test('of files that meet within a day, any may go on', () => {
  const ending = [file(1, 10, { closing: 8n }), file(10, 10, { closing: 9n })];
  const beginning = [file(13, 13, { opening: 11n }), file(13, 14, { opening: 9n })];
  expect(quiet(...ending, ...beginning)).toEqual([11, 12]);
});

test('each hole counts by itself, and a file without lines has no days', () => {
  const empty = { ...file(1, 1), covers: null } as StatementSummary;
  expect(quiet(file(1, 1), empty, file(3, 3), file(20, 20), file(22, 22))).toEqual([2, 21]);
  expect(quiet(file(5, 6))).toEqual([]);
  expect(quiet()).toEqual([]);
});
