import { expect, test } from 'vitest';
import { BookLines } from '../../../../src/domain/balance/book-lines.ts';

const STATEMENTS = 400;
const DAYS_OF_EACH = 30;
const LINES_OF_A_DAY = 17;
const dayOf = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 86_400_000).toISOString().slice(0, 10);

/** Daily exports of the last days: the statement of a number begins on the day of this number. The last one lacks a line of each day. */
function exportsOfDays() {
  const shown = Array.from({ length: STATEMENTS + DAYS_OF_EACH }, (_, number) => {
    const all = Array.from({ length: STATEMENTS }, (_, statement) => statement);
    const statements = all.filter((one) => one <= number && number < one + DAYS_OF_EACH);
    const others = statements.filter((one) => one !== STATEMENTS - 1);
    return [
      { day: dayOf(number), statements, lines: LINES_OF_A_DAY - 1, minor: 1600n },
      { day: dayOf(number), statements: others, lines: 1, minor: 5n },
    ];
  });
  return new BookLines(shown.flat().filter(({ statements }) => statements.length > 0));
}

test('what one of two statements has alone, and what both have', () => {
  const lines = exportsOfDays();
  const [last, before, far] = [STATEMENTS - 1, STATEMENTS - 2, STATEMENTS - 1 - DAYS_OF_EACH];
  const [from, to] = [dayOf(last - 1), dayOf(last)];
  expect(lines.between(before, last, { from, to })).toEqual([
    { day: from, one: { lines: 17, minor: 1605n }, other: { lines: 0, minor: 0n }, both: { lines: 0, minor: 0n } },
    { day: to, one: { lines: 1, minor: 5n }, other: { lines: 0, minor: 0n }, both: { lines: 16, minor: 1600n } },
  ]);
  expect(lines.between(far, last, { from: to, to })).toEqual([
    { day: to, one: { lines: 0, minor: 0n }, other: { lines: 16, minor: 1600n }, both: { lines: 0, minor: 0n } },
  ]);
  expect(lines.beside({ statement: last }, [{ statement: before }], { from, to })).toEqual([
    { day: from, lines: 17, minor: 1605n },
    { day: to, lines: 1, minor: 5n },
  ]);
  expect(lines.beside({ statement: before }, [{ statement: last }], { from, to })).toEqual([]);
});

test('what moved before a day, by all statements and by some', () => {
  const lines = exportsOfDays();
  expect([dayOf(0), dayOf(1), dayOf(10), '2099-01-01'].map((day) => lines.before(day))).toEqual([
    0n,
    1605n,
    16_050n,
    1605n * BigInt(STATEMENTS - 1 + DAYS_OF_EACH - 1) + 1600n,
  ]);
  const first = lines.of([{ statement: 0 }]);
  expect([first.before(dayOf(DAYS_OF_EACH)), first.before('2099-01-01')]).toEqual([48_150n, 48_150n]);
});
