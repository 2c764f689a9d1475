import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { print, printJson, printJsonLine, printTable } from '../../../../cli/show/output.ts';

let written = '';
beforeEach(() => {
  written = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written += chunk;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

test('a table lines up, also with wide characters, has no borders or trailing spaces, and keeps rows on their line', () => {
  const rows = [
    { name: 'refund', amount: 5n },
    { name: '支付 😀', amount: 1234n },
    { name: 'a\nb\u001b[0m', amount: null },
  ];
  printTable(rows, [
    { header: 'NAME', value: (row) => row.name },
    { header: 'AMOUNT', value: (row) => row.amount, align: 'right' },
  ]);
  expect(written).toBe(
    ['NAME     AMOUNT', 'refund        5', '支付 😀    1234', 'a\ufffdb\ufffd[0m       -', ''].join('\n'),
  );
});

test('an empty table prints nothing on stdout', () => {
  printTable([], [{ header: 'NAME', value: () => '' }]);
  expect(written).toBe('');
});

test('JSON: bigint as text, nothing a terminal acts on, and it parses back', () => {
  const value = { amount: 9_007_199_254_740_993n, text: '\u001b[31m\u009b\u202e\u007f\ud800' };
  printJson(value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  expect(written).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(JSON.parse(written)).toEqual({ ...value, amount: '9007199254740993' });
});

test('a JSON line is one line', () => {
  printJsonLine({ text: 'a\nb', list: [1n] });
  expect(written).toBe('{"text":"a\\nb","list":["1"]}\n');
});

test('print ends every line and lets no control character through', () => {
  print('a\u0007');
  print();
  expect(written).toBe('a\ufffd\n\n');
});
