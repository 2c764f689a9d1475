import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountCell, csvLines } from '../../../../cli/show/csv.ts';
import { parseAmount } from '../../../../src/domain/money/amount.ts';
import { randomRuns } from '../../../support/random-runs.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['\tx', "'\tx"],
  ['＝1', "'＝1"],
  ['x;=1+1', "x;'=1+1"],
  ['x\t=1+1', "x\t'=1+1"],
  ['x\n=1+1', "x\n'=1+1"],
  ['a=1', 'a=1'],
  ['RFD-1', 'RFD-1'],
  ['2026-11-20T11:05:03+01:00', '2026-11-20T11:05:03+01:00'],
  ['', ''],
])('a text is quoted and no formula, and a number stays a number: %j', (text, expected) => {
  expect(csvLines([[text, -5]])).toBe(`"${expected}",-5\n`);
});

test('an exact amount is a number, digit by digit; no value is an empty cell; an id is a text', () => {
  expect(csvLines([[amountCell(parseAmount('90071992547409.93')), null, '0017', 3]])).toBe(
    '90071992547409.93,,"0017",3\n',
  );
});

test.each([',', ';', '\t', '|'])('no cell is a formula in a spreadsheet that splits at %j', (delimiter) => {
  const unit = fc.constantFrom('x', ';', '\t', ',', '|', '"', ' ', '=', '+', '-', '@', '\n', '\r', '1');
  const rows = fc.array(fc.array(fc.string({ unit }), { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(rows, (texts) => {
      const file = csvLines(texts.map((row, id) => [id, ...row]));
      for (const cell of cellsOf(file, delimiter)) expect(cell, JSON.stringify(file)).not.toMatch(/^\s*[=+\-@]/);
    }),
    { numRuns: randomRuns(2_000) },
  );
});

test('quotes, commas and line ends stay inside their cell', () => {
  expect(csvLines([['a"b,c\nd', null]])).toBe('"a""b,c\nd",\n');
});

/** The cells as a spreadsheet reads them: a quote counts only where a cell begins, and what follows a closing quote is text. */
function cellsOf(file: string, delimiter: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at < file.length; ) {
    let cell = '';
    if (file[at] === '"') {
      for (at++; at < file.length; at++) {
        if (file[at] !== '"') cell += file[at];
        else if (file[at + 1] === '"') cell += file[at++];
        else break;
      }
      at++;
    }
    for (; at < file.length && file[at] !== delimiter && file[at] !== '\n' && file[at] !== '\r'; at++) cell += file[at];
    cells.push(cell);
    at++;
  }
  return cells;
}
