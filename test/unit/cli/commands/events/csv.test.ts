import { expect, test } from 'vitest';
import { csvHeader, csvLines } from '../../../../../cli/commands/events/csv.ts';

const columns = [
  { name: 'text', value: (row: readonly (string | number | null)[]) => row[0] ?? null, fromOutside: true },
  { name: 'number', value: (row: readonly (string | number | null)[]) => row[1] ?? null, fromOutside: false },
];

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['＝1', "'＝1"],
  ['a=1', 'a=1'],
  ['', ''],
])('text from outside is no formula: %j', (text, expected) => {
  expect(csvLines([[text, -5]], columns)).toBe(`${expected},-5\n`);
});

test('quotes, commas and line ends stay inside their cell', () => {
  expect(csvLines([['a"b,c\nd', null]], columns)).toBe('"a""b,c\nd",\n');
  expect(csvHeader(columns)).toBe('text,number\n');
});
