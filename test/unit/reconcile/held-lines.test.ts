import { expect, test } from 'vitest';
import { HeldLines } from '../../../src/reconcile/held-lines.ts';
import type { ShownLines } from '../../../src/store/statements.ts';

const STATEMENTS = 400;
const DAYS_OF_EACH = 30;
const LINES_OF_A_DAY = 17;
const dayOf = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 86_400_000).toISOString().slice(0, 10);

/** Daily exports of the last days: the statement of a number begins on the day of this number. The last one lacks a line of each day. */
function exportsOfDays() {
  const read: string[] = [];
  const archive = {
    shownLines: async ({ day }: { readonly day: string }): Promise<ShownLines[]> => {
      read.push(day);
      const number = (Date.parse(day) - Date.UTC(2026, 0, 1)) / 86_400_000;
      const all = Array.from({ length: STATEMENTS }, (_, statement) => statement);
      const statements = all.filter((one) => one <= number && number < one + DAYS_OF_EACH);
      const others = statements.filter((one) => one !== STATEMENTS - 1);
      return [
        { statements, lines: LINES_OF_A_DAY - 1, minor: 1600n },
        { statements: others, lines: 1, minor: 5n },
      ];
    },
  };
  return { archive, read };
}

test('of statements that overlap each day is read once, however many pairs are held against each other', async () => {
  const { archive, read } = exportsOfDays();
  const held = new HeldLines(archive, 'NGN');
  let pairs = 0;
  for (let one = 0; one < STATEMENTS - 1; one++) {
    for (let other = one + 1; other < Math.min(one + DAYS_OF_EACH, STATEMENTS - 1); other++) {
      const days = await held.between(one, other, { from: dayOf(other), to: dayOf(one + DAYS_OF_EACH - 1) });
      expect(days).toHaveLength(one + DAYS_OF_EACH - other);
      pairs += days.filter((day) => day.one.lines + day.other.lines > 0).length;
    }
  }
  expect(pairs).toBe(0);
  expect(read.length).toBe(new Set(read).size);
});

test('what one of two statements has alone, and what both have', async () => {
  const { archive } = exportsOfDays();
  const held = new HeldLines(archive, 'NGN');
  const [last, before, far] = [STATEMENTS - 1, STATEMENTS - 2, STATEMENTS - 1 - DAYS_OF_EACH];
  const [from, to] = [dayOf(last - 1), dayOf(last)];
  expect(await held.between(before, last, { from, to })).toEqual([
    { day: from, one: { lines: 17, minor: 1605n }, other: { lines: 0, minor: 0n }, both: { lines: 0, minor: 0n } },
    { day: to, one: { lines: 1, minor: 5n }, other: { lines: 0, minor: 0n }, both: { lines: 16, minor: 1600n } },
  ]);
  expect(await held.between(far, last, { from: to, to })).toEqual([
    { day: to, one: { lines: 0, minor: 0n }, other: { lines: 16, minor: 1600n }, both: { lines: 0, minor: 0n } },
  ]);
  expect(await held.beside(last, [before], { from, to })).toEqual([
    { day: from, lines: 17, minor: 1605n },
    { day: to, lines: 1, minor: 5n },
  ]);
  expect(await held.beside(before, [last], { from, to })).toEqual([]);
});
