import { expect, test } from 'vitest';
import {
  contradictingText,
  contradictingWith,
  NONE_CONTRADICTING,
} from '../../../../src/reconcile/matching/contradicting.ts';
import type { RivalFiles } from '../../../../src/reconcile/rival-files.ts';

const NONE = { lines: 0, minor: 0n };
const pair = (number: number, how: string) =>
  ({
    one: { file: { name: 'a.csv' } },
    other: { file: { name: `${number}.csv` } },
    rivalry: { how, one: NONE, other: NONE, both: NONE },
  }) as unknown as RivalFiles;
const clause = (number: number) =>
  `a.csv and ${number}.csv show the same days differently: they open with different balances`;

test('a sentence names ten files that contradict another one, and counts the others', () => {
  expect(contradictingText(NONE_CONTRADICTING)).toBe(null);
  const two = contradictingWith(NONE_CONTRADICTING, [
    pair(1, 'contradicting'),
    pair(2, 'repeating'),
    pair(3, 'lacking'),
  ]);
  expect(contradictingText(two)).toBe(`${clause(1)}; ${clause(3)}`);
  const many = Array.from({ length: 10 }, (_, index) => pair(index + 4, 'contradicting'));
  const text = contradictingText(contradictingWith(two, many)) ?? '';
  expect(text.split('; ')).toEqual([
    clause(1),
    clause(3),
    ...[4, 5, 6, 7, 8, 9, 10, 11].map(clause),
    'and 2 more files',
  ]);
});
