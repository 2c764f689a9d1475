import { expect, test } from 'vitest';
import { csvLines } from '../../../../../cli/commands/events/csv.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['＝1', "'＝1"],
  ['a=1', 'a=1'],
  ['', ''],
])('a text is no formula, and a number stays a number: %j', (text, expected) => {
  expect(csvLines([[text, -5]])).toBe(`${expected},-5\n`);
});

test('quotes, commas and line ends stay inside their cell', () => {
  expect(csvLines([['a"b,c\nd', null]])).toBe('"a""b,c\nd",\n');
});
