import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { expectMistake, type Mistake } from '../support/mistakes.ts';
import { tallyhook } from '../support/tallyhook.ts';

// Lines of known words whose values are wrong, or contradict each other. Every step starts the program.
const cwd = temporaryFolder();
const CONFIG = `database: ./new.db
timeZone: America/New_York
keys:
  test: [{publicKey: pk_test_of_values, secretKey: sk_test_of_values}]
`;
const ROWS = 'reference,amount,currency,due\nA,1,NGN,\nB,x,NGN,2026-01-32\n';
beforeAll(() => {
  for (const [name, text] of Object.entries({ 'ok.yaml': CONFIG, 'bad.csv': ROWS }))
    writeFileSync(join(cwd, name), text);
});

const OK = '--config ok.yaml';
const PAYOUT = 'payouts send --amount 5 --bank-code 1 --bank-name B --narration N';
const NO_REFERENCE = 'Many references are read from FILE.csv';
const MISTAKES: readonly Mistake[] = [
  // A dry run refuses what --yes refuses.
  ['refunds request order-1 --amount -5', 2, '--amount is -5.00, and must be at least 0.01.', 'request --help'],
  [
    'refunds request order-1 --amount 0.005',
    2,
    '--amount is 0.005, which has more than two decimals.',
    'request --help',
  ],
  [`refunds request order-1 --note ${'x'.repeat(3_000)}`, 2, '--note has 3000 characters, and may have 2000.', 'help'],
  [`${PAYOUT} --account `, 2, '--account is missing.', 'See: tallyhook payouts send --help'],
  [`${PAYOUT} --account 1 --reference a/b`, 2, '--reference is "a/b", and must be', 'Without --reference one is made.'],
  [
    'collections start ussd --amount 0 --email a --bank-code 1',
    2,
    '--amount is 0.00, and must be at least',
    'start --help',
  ],
  [
    'payouts verify-account  1',
    2,
    'Which bank code? tallyhook payouts verify-account BANK-CODE ACCOUNT',
    'See: tallyhook payouts verify-account --help',
  ],
  // An empty argument, as of an unset variable of a shell, is no argument.
  [`refunds show  ${OK}`, 2, 'Which refund? tallyhook refunds show REFERENCE', 'See: tallyhook refunds show --help'],
  [`refunds status  ${OK}`, 2, 'Which refund? tallyhook refunds status REFERENCE', 'refunds status --help'],
  [`why  ${OK}`, 2, 'Which reference? tallyhook why REFERENCE', 'See: tallyhook why --help'],
  [`track payout  ${OK}`, 2, 'Which reference, or which FILE.csv?', 'track payout --help'],
  [`backup  ${OK}`, 2, 'Which file? tallyhook backup FILE', 'See: tallyhook backup --help'],
  [`statements import  --profile p ${OK}`, 2, 'Which file? tallyhook statements import FILE', 'import --help'],
  ['sandbox chaos clear  --url http://127.0.0.1:1 --token x', 2, 'Which rule?', 'sandbox chaos clear --help'],
  [`events list --reference  ${OK}`, 2, '--reference is empty.', 'See: tallyhook events list --help'],
  [`events export --event  ${OK}`, 2, '--event is empty.', 'See: tallyhook events export --help'],
  [`sweep --reference  ${OK}`, 2, '--reference is empty.', 'See: tallyhook sweep --help'],
  [`track list --reference= ${OK}`, 2, '--reference is empty.', 'See: tallyhook track list --help'],
  [
    'checkout start --amount 5 --email a --name A --callback-url x',
    2,
    'tallyhook: --callback-url must be a full',
    'help',
  ],
  // A mistyped file is no reference.
  [`track payout exp.xlsx ${OK}`, 2, '"exp.xlsx" is a spreadsheet, and no reference.', NO_REFERENCE],
  [`track payout ./exp ${OK}`, 2, '"./exp" looks like a path, and no reference.', NO_REFERENCE],
  [`track payout ok.yaml ${OK}`, 2, '"ok.yaml" is a file or folder here, and no reference.', NO_REFERENCE],
  [
    `track payout bad.csv ${OK}`,
    2,
    '1 row is wrong, and nothing was done:\n  line 3: amount "x" is not an amount (syntax).\n  line 3: due "2026-01-32" is not a date or time.',
    'Amounts are plain digits',
  ],
  [`track payout P --amount 0,5 --currency NGN ${OK}`, 2, 'amount "0,5" is not an amount: use a point, 0.5.', ''],
  ['sandbox settle USD --amount 0,5', 2, '--amount is "0,5": use a point, 0.5.', 'sandbox settle --help'],
  // What follows -- is no option.
  [`track payout ${OK} -- -a/c`, 2, '"-a/c" looks like a path', NO_REFERENCE],
  ['refunds show -- A -b', 2, 'Unexpected argument: -b. tallyhook refunds show takes REFERENCE.', 'show --help'],
  // Options that contradict each other.
  ['refunds list --all --limit 5', 2, '--all and --limit exclude each other: give one of them.', 'list --help'],
  ['refunds list --by changed', 2, '--by needs --since or --until.', 'See: tallyhook refunds list --help'],
  ['status --every 5s', 2, '--every needs --watch.', 'See: tallyhook status --help'],
  ['trigger --list refund.success', 2, '--list sends nothing, and takes no EVENT', 'trigger --help'],
  ['trigger refund.success --shape A', 2, '--shape is of collection events, and refund.success is none.', 'help'],
  ['trigger refund.success --wrong-signature --old-key a', 2, '--wrong-signature and --old-key exclude each other', ''],
  [`trigger refund.success --currency dollars ${OK}`, 2, '--currency is "dollars": it must be a code such as NGN.', ''],
  [`events list --env live ${OK}`, 2, 'Unknown option: --env', 'Did you mean --environment?'],
  // Files.
  ['verify no.json', 2, 'Cannot read no.json: it does not exist.', 'Give the path of a file'],
  [
    'sandbox --port 0 --state no/x',
    2,
    'Cannot keep the sandbox state in no/x: its folder does not exist.',
    'Choose a file',
  ],
  [
    `events export --bodies no/x ${OK}`,
    1,
    'no/x cannot be written: its folder does not exist.',
    'Give --bodies a folder',
  ],
];

test.each(MISTAKES)('tallyhook %s', (...mistake) => expectMistake(mistake, { cwd }));

test('a rule that does not exist', () =>
  expectMistake(['sandbox chaos add', 2, 'The rule\'s do is "dorp": it must be one of: drop, ', 'Did you mean drop?'], {
    cwd,
    words: ['sandbox', 'chaos', 'add', '{do: dorp}'],
  }));

test.each([
  ['{do: drop', 'line 1, column 10: is not valid YAML: a quote, a colon, a comma or a closing ] or } is missing.'],
  ['@drop', 'line 1, column 1: is not valid YAML: write what begins with @ or ` in quotes.'],
  [
    'do: *x',
    'line 1, column 5: is an alias (*…) of an anchor that is not before it: write what begins with * in quotes.',
  ],
])('a rule that is not YAML: %s', async (rule, mistake) => {
  const ended = await tallyhook(['sandbox', 'chaos', 'add', rule], { cwd });
  const example = "For example: '{do: drop, probability: 0.1}'";
  expect(ended).toEqual({
    code: 2,
    stdout: '',
    stderr: `tallyhook: The rule cannot be read:\n  ${mistake}\n${example}\n`,
  });
});

test('a chaos file that is not YAML', async () => {
  writeFileSync(join(cwd, 'broken.yaml'), 'rules:\n  - {do: drop\n');
  const ended = await tallyhook(['sandbox', 'chaos', 'load', 'broken.yaml'], { cwd });
  expect(ended).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^tallyhook: broken\.yaml cannot be read:\n {2}line 3, column 1: is not valid YAML: the line is indented/,
    ),
  });
});

test('a text that no receiver reads as a time is sent, with a word on it', async () => {
  const line = [
    'trigger',
    'refund.success',
    '--updated-at',
    'nope',
    '--url',
    'http://127.0.0.1:1',
    '--config',
    'ok.yaml',
  ];
  const { code, stderr } = await tallyhook(line, { cwd });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('--updated-at is "nope", which no receiver can read as a time'),
  ]);
});

test('a refused request announces no reference, and nothing was made', async () => {
  const { code, stderr } = await tallyhook([...PAYOUT.split(' '), '--account', '1', '--yes', ...OK.split(' ')], {
    cwd,
  });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^tallyhook: 1 problem in the configuration/)]);
  expect(existsSync(join(cwd, 'new.db'))).toBe(false);
});
