import { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  bold,
  print,
  printBodyText,
  printJson,
  printJsonLine,
  printTable,
  verdictText,
} from '../../../../cli/show/output.ts';

const { isTTY, getColorDepth } = process.stdout;
/** Makes stdout a terminal, or none, with these variables alone. */
function stdoutIs(terminal: boolean, variables: Record<string, string> = {}): void {
  Object.assign(process.stdout, {
    isTTY: terminal,
    getColorDepth: terminal ? WriteStream.prototype.getColorDepth : undefined,
  });
  const none = { TERM: undefined, COLORTERM: undefined, CI: undefined, NO_COLOR: undefined, FORCE_COLOR: undefined };
  for (const [name, value] of Object.entries({ ...none, ...variables })) vi.stubEnv(name, value);
}

let written = '';
beforeEach(() => {
  written = '';
  stdoutIs(false);
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written += chunk;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  Object.assign(process.stdout, { isTTY, getColorDepth });
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

test('on a terminal a long line is wrapped at spaces below its own beginning, codes apart; a file gets it whole', () => {
  const text = `  ${bold('Reconciliation')} compares what webhooks reported with what was confirmed`;
  print(text);
  expect(written.split('\n')).toHaveLength(2);
  written = '';
  stdoutIs(true, { TERM: 'xterm-256color', FORCE_COLOR: '1' });
  Object.assign(process.stdout, { columns: 30 });
  print(text);
  expect(stripVTControlCharacters(written)).toBe(
    '  Reconciliation compares what\n  webhooks reported with what\n  was confirmed\n',
  );
});

test('a body of JSON is indented on a terminal, with its own numbers, names and escapes; else it is as it came', () => {
  const body = '{"amount": 1.50,"big":12345678901234567890,"a":{"b":[],"c":{},"d":[1e3,"\\u00e9 {,}"]},"amount":2}';
  printBodyText(body);
  expect(written).toBe(`${body}\n`);
  written = '';
  stdoutIs(true);
  Object.assign(process.stdout, { columns: 80 });
  printBodyText(body);
  expect(written).toBe(`{
  "amount": 1.50,
  "big": 12345678901234567890,
  "a": {
    "b": [],
    "c": {},
    "d": [
      1e3,
      "\\u00e9 {,}"
    ]
  },
  "amount": 2
}
`);
  written = '';
  printBodyText('{"amount": ');
  expect(written).toBe('{"amount": \n');
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
  stdoutIs(true, { TERM: 'xterm' });
  print(`${bold('Disk')}  ${verdictText('ok', true)} ${verdictText('full', false)}`);
  printTable([{ n: 1 }], [{ header: 'N', value: ({ n }) => n }]);
  expect(written).toBe(
    '\u001b[1mDisk\u001b[22m  \u001b[32mok\u001b[39m \u001b[31mfull\u001b[39m\n\u001b[1mN\u001b[22m\n1\n',
  );
});

test('a code in text from outside is not sent to the terminal, styled or not', () => {
  stdoutIs(true, { TERM: 'xterm' });
  print(`${bold('a\u001b[31mb')} c\u001b[2Jd`);
  expect(written).toBe('\u001b[1ma\ufffd[31mb\u001b[22m c\ufffd[2Jd\n');
});

test.each([
  [true, { TERM: 'xterm' }, true],
  [true, { TERM: 'xterm', NO_COLOR: '' }, true],
  [true, { TERM: 'xterm', NO_COLOR: '1' }, false],
  [true, { TERM: 'xterm', FORCE_COLOR: '0' }, false],
  [true, { TERM: 'dumb' }, false],
  [false, { TERM: 'xterm' }, false],
  [false, { FORCE_COLOR: '1' }, true],
])('colours (terminal %s, %o): %s', (terminal, variables, coloured) => {
  stdoutIs(terminal, variables);
  print(bold('Disk'));
  expect(written).toBe(coloured ? '\u001b[1mDisk\u001b[22m\n' : 'Disk\n');
});

test('a table lines up with codes as it does without', () => {
  const rows = [{ name: '支付', amount: 5 }];
  const columns = [
    { header: 'THE NAME', value: (row: (typeof rows)[0]) => row.name },
    { header: 'AMOUNT', value: (row: (typeof rows)[0]) => row.amount, align: 'right' as const },
  ];
  printTable(rows, columns);
  const plain = written;
  written = '';
  stdoutIs(true, { TERM: 'xterm' });
  printTable(rows, columns);
  expect(written).not.toBe(plain);
  expect(stripVTControlCharacters(written)).toBe(plain);
});
