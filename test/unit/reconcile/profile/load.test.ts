import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadProfile, readProfile } from '../../../../src/reconcile/profile/load.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { PLAIN, profileOf, readWhole } from '../../../support/statements/statement.ts';

const problemsOf = (text: string) => {
  try {
    readProfile(text, 'wallet.yaml');
    return [];
  } catch (error) {
    expect(error).toMatchObject({ name: 'ProfileError', kind: 'configuration' });
    return (error as Error).message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
};
const plainWith = (settings: object) => problemsOf(JSON.stringify({ ...PLAIN, ...settings }));

test('what is left out has its default, and the store gets name, digest and text', () => {
  const profile = profileOf();
  expect(profile.file).toEqual({
    format: 'csv',
    sheet: 1,
    encoding: 'utf-8',
    delimiter: ',',
    quote: '"',
    skipRows: 0,
    header: true,
    footer: 0,
  });
  expect(profile.number).toEqual({ decimal: '.', group: null, unit: 'major', negative: 'minus' });
  expect(profile.zone).toBe('Africa/Lagos');
  expect(profile.owner).toEqual({ name: 'main', kind: 'wallet', environment: 'test' });
  expect(profile.source).toMatchObject({ name: 'plain', digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test('every problem is named at once, with path, value and rule', () => {
  const problems = plainWith({
    kind: 'purse',
    account: '',
    environment: 'prod',
    file: { delimeter: ';', encoding: 'utf-9', skipRows: -1 },
    dateFormat: 'DD/MM/YYYY',
    number: { decimal: ',', group: ',' },
    amount: { signed: 'A', unsigned: 'B' },
    types: { PAY: 'payment' },
    colums: {},
  });
  expect(problems).toEqual(
    expect.arrayContaining([
      'kind is "purse": must be one of wallet, settlement, bank, ledger.',
      'account is "": must be text of at least one character.',
      'environment is "prod": must be one of test, live.',
      'file.delimeter: is not a setting. Did you mean delimiter?',
      'file.encoding is "utf-9": must be an encoding such as utf-8, windows-1252 or utf-16le.',
      'file.skipRows is -1: must be a whole number from 0 to 1000.',
      expect.stringMatching(/^dateFormat is "DD\/MM\/YYYY": has the unknown part DD: use yyyy/),
      'number.group is ",": must not be the decimal separator.',
      'amount is a map: must have exactly one of signed, debitCredit and unsigned.',
      'colums: is not a setting. Did you mean columns?',
      expect.stringMatching(/^types\.PAY is "payment": must be one of collection, /),
    ]),
  );
});

test('a word that is nearly one of ours is answered with ours', () => {
  const problems = plainWith({ kind: 'walet', types: { PAY: 'colection' } });
  expect(problems).toEqual([
    'kind is "walet": must be one of wallet, settlement, bank, ledger. Did you mean wallet?',
    expect.stringMatching(/^types\.PAY is "colection": must be one of .* Did you mean collection\?$/),
    'types is a map: has words, but columns.type names no column in which they stand: "" is every line, "+" money in, "-" money out.',
  ]);
});

describe('rules about two settings', () => {
  test.each([
    ['no currency', { currency: undefined }, /^currency is missing: must be given, because columns\.currency is not/],
    ['no date format', { dateFormat: undefined }, /^dateFormat is missing: must be given for a CSV file/],
    [
      'two times',
      { dateFormat: 'yyyy-MM-dd HH:mm', columns: { date: 'Date', time: 'Time' } },
      /^columns\.time is "Time": must be left out/,
    ],
    ['a sign without words', { amount: { unsigned: 'A' } }, /^amount is a map: must have unsigned and sign together/],
    [
      'a word on both sides',
      { amount: { unsigned: 'A', sign: { column: 'S', debit: ['X'], credit: ['X'] } } },
      /must not have "X" as debit and as credit/,
    ],
    [
      'names without a header',
      { file: { header: false } },
      /must be the number of a column from 1, because file\.header is false/,
    ],
    [
      'words without a column',
      { types: { PAY: 'collection' } },
      /^types is a map: has words, but columns\.type names no column/,
    ],
    ['one sign for two things', { file: { delimiter: '"' } }, /^file\.quote is missing: must not be the delimiter/],
    ['a cell in row 0', { balance: { opening: { row: 0, column: 1 } } }, /^balance\.opening\.row is 0: must not be 0/],
    ['hours of a half day', { dateFormat: 'yyyy-MM-dd hh:mm' }, /^dateFormat is .*: must have hh and a together/],
  ])('%s', (_name, settings, problem) => {
    expect(plainWith(settings).join('\n')).toMatch(new RegExp(problem.source, 'm'));
  });
});

test('every guess that is left is named with its line', () => {
  const text = `version: 1
name: wallet
kind: "confirm: wallet"
account: main
environment: test
currency: NGN
columns: { date: Date }
dateFormat: "confirm: dd/MM/yyyy" # it fits
amount:
  unsigned: Amount
  sign: { column: Side, debit: ["confirm: D"], credit: [C] }
`;
  expect(problemsOf(text)).toEqual([
    'line 3, kind is "confirm: wallet": is a guess: check it, and take "confirm: " away.',
    'line 8, dateFormat is "confirm: dd/MM/yyyy": is a guess: check it, and take "confirm: " away.',
    'line 11, amount.sign.debit[0] is "confirm: D": is a guess: check it, and take "confirm: " away.',
  ]);
  expect(problemsOf(text.replaceAll('confirm: ', ''))).toEqual([]);
});

test('a tab and nothing may be written in several ways', () => {
  const settings = ['tab', '\\t', '\t'].map((delimiter) =>
    profileOf({ file: { delimiter, quote: '' }, number: { group: '' } }),
  );
  expect(settings.map(({ file, number }) => [file.delimiter, file.quote, number.group])).toEqual(
    Array(3).fill(['\t', null, null]),
  );
});

test('a confirmed guess may keep its quotes', () => {
  const { file, columns, number } = profileOf({
    version: '1',
    file: { skipRows: '2', header: 'false', quote: 'null' },
    columns: { date: '1' },
    amount: { signed: '3' },
    number: { group: 'null' },
  });
  expect(file).toMatchObject({ skipRows: 2, header: false, quote: null });
  expect(columns).toEqual({ date: 1 });
  expect(number.group).toBe(null);
});

test.each([
  ['no map', '- 1', 'the file is a list: must be a map of settings.'],
  [
    'no YAML',
    'a: [',
    'line 1, column 5: is not valid YAML: the line is indented too little or too much; settings of one level begin in the same column. Or a ] or } is missing above.',
  ],
  [
    'a key twice',
    'version: 1\nversion: 2',
    'line 2, column 1: is not valid YAML: the name occurs twice at this level.',
  ],
])('%s', (_name, text, problem) => {
  expect(problemsOf(text)[0]).toBe(problem);
});

test('a file that is not there, and a statement in its place', () => {
  expect(() => loadProfile('/nowhere/p.yaml')).toThrow('cannot be read: it does not exist');
  expect(() => loadProfile(process.execPath)).toThrow(
    'larger than 1 MiB: --profile names the profile, not the statement',
  );
});

test.each([' ', '\u00a0', '\u202f'])(
  'a group separator %j stands for every blank that an export writes',
  async (group) => {
    const profile = profileOf({ number: { decimal: ',', group } });
    const csv = (amount: string) => `Date,Reference,Amount\n2026-10-01,A1,"${amount}"\n`;
    for (const amount of ['1 234,56', '1\u00a0234,56', '1\u202f234,56', '1234,56']) {
      const { lines, unparsed } = await readWhole(csv(amount), profile);
      expect([unparsed, lines.map((line) => line.amount)]).toEqual([[], [123_456n]]);
    }
  },
);

test.each(['bank\r\nAccount: x', 'bank\u001b[31m', 'bank\u2800'])(
  'an account is named by what can be seen: %j',
  (account) => {
    expect(plainWith({ account })).toEqual([
      expect.stringMatching(/^account is .*: has a character that cannot be seen \(U\+/),
    ]);
  },
);

test('a profile that is a pipe, a folder, or aliases without end is refused with its name, at once', () => {
  const folder = temporaryFolder();
  const refusal = (path: string) => {
    try {
      return String(loadProfile(path));
    } catch (error) {
      expect(error).toMatchObject({ name: 'ProfileError', kind: 'configuration' });
      return (error as Error).message;
    }
  };
  const pipe = join(folder, 'pipe.yaml');
  spawnSync('mkfifo', [pipe]);
  expect(refusal(pipe)).toMatch(/pipe\.yaml[\s\S]*cannot be read: it is no file/);
  expect(refusal(folder)).toMatch(/cannot be read: it is a folder/);
  const bomb = join(folder, 'bomb.yaml');
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let n = 1; n < 12; n++)
    lines.push(
      `a${n}: &a${n} [${Array(10)
        .fill(`*a${n - 1}`)
        .join(', ')}]`,
    );
  writeFileSync(bomb, lines.join('\n'));
  expect(refusal(bomb)).toMatch(/bomb\.yaml[\s\S]*stands for more than 10000 values/);
});

test('a file of 20,000 unknown names is refused in a moment, and its message names the first of them', () => {
  const text = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n');
  const { user } = process.cpuUsage();
  expect(() => readProfile(text, 'p.yaml')).toThrow(
    /^\d+ problems in the profile \(p\.yaml\):(\n {2}.*){50}\n {2}… and \d+ more\.$/,
  );
  expect(process.cpuUsage({ user, system: 0 }).user).toBeLessThan(10_000_000);
});

test('a cell that a profile names from the end is one of the last 1,000 rows', () => {
  const closing = (row: number) => plainWith({ balance: { closing: { row, column: 1 } } });
  expect(closing(-1_001)).toEqual([expect.stringMatching(/^balance\.closing\.row is -1001: must be at least -1000/)]);
});
