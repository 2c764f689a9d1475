import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bold, print, printJson, printJsonLine, printTable, verdictText } from '../../../../cli/show/output.ts';

const wasTerminal = process.stdout.isTTY;
let written = '';
beforeEach(() => {
  written = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written += chunk;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  process.stdout.isTTY = wasTerminal;
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

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
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for control characters
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

test('on a terminal a style arrives as its codes, within a line and in the heading of a table', () => {
  process.stdout.isTTY = true;
  vi.stubEnv('NO_COLOR', '');
  print(`${bold('Disk')}  ${verdictText('ok', true)} ${verdictText('full', false)}`);
  printTable([{ n: 1 }], [{ header: 'N', value: ({ n }) => n }]);
  expect(written).toBe(
    '\u001b[1mDisk\u001b[22m  \u001b[32mok\u001b[39m \u001b[31mfull\u001b[39m\n\u001b[1mN\u001b[22m\n1\n',
  );
});

test('a code in text from outside is not sent to the terminal, styled or not', () => {
  process.stdout.isTTY = true;
  vi.stubEnv('NO_COLOR', '');
  print(`${bold('a\u001b[31mb')} c\u001b[2Jd`);
  expect(written).toBe('\u001b[1ma\ufffd[31mb\u001b[22m c\ufffd[2Jd\n');
});

test.each([
  [true, '1'],
  [false, ''],
])('without colours there are no codes (terminal %s, NO_COLOR %j)', (terminal, noColor) => {
  process.stdout.isTTY = terminal;
  vi.stubEnv('NO_COLOR', noColor);
  print(bold('Disk'));
  expect(written).toBe('Disk\n');
});
