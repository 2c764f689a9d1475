import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { expectMistake, type Mistake } from '../support/mistakes.ts';

const cwd = temporaryFolder();
const KEYS = 'keys:\n  test: [{publicKey: pk_test_of_mistakes, secretKey: sk_test_of_mistakes}]\n';
const files = {
  'ok.yaml': `database: ./new.db\n${KEYS}`,
  'typo.yaml': 'baseurl: http://127.0.0.1\n',
  'broken.yaml': 'a: [1\n',
  'text.db': 'not a database',
  'headers.txt': 'not: useful\n',
  'body.json': '{}',
  'semicolons.csv': 'reference;amount\nA;1\n',
  'list.chaos': '- 1\n',
};
const taken = createServer();
let port = 0;
beforeAll(async () => {
  mkdirSync(join(cwd, 'folder'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
  port = (taken.address() as { port: number }).port;
});
afterAll(() => taken.close());

const OK = '--config ok.yaml';
const MISTAKES: readonly Mistake[] = [
  ['statsu', 2, 'Unknown command: statsu', 'Did you mean stats? See: tallyhook --help'],
  ['--jsn status', 2, 'Unknown option: --jsn', 'The command comes first. See: tallyhook --help'],
  ['refunds', 2, 'Which command of refunds?', 'One of: list, show, request, status. See: tallyhook refunds --help'],
  ['refunds lst', 2, 'Unknown command: lst', 'Did you mean list? See: tallyhook refunds --help'],
  ['refunds show', 2, 'Which refund? tallyhook refunds show REFERENCE', 'See: tallyhook refunds show --help'],
  ['payouts show', 2, 'Which payout? tallyhook payouts show REFERENCE', 'See: tallyhook payouts show --help'],
  ['events show', 2, 'Which event? tallyhook events show ID', 'See: tallyhook events show --help'],
  ['findings show', 2, 'Which finding? tallyhook findings show ID', 'See: tallyhook findings show --help'],
  ['why', 2, 'Which reference? tallyhook why REFERENCE', 'See: tallyhook why --help'],
  ['sql', 2, 'Which statement? tallyhook sql STATEMENT', 'See: tallyhook sql --help'],
  ['completion fish', 2, 'SHELL is "fish": it must be bash or zsh.\nSee: tallyhook completion', ' --help'],
  ['refunds show A B', 2, 'Unexpected argument: B. tallyhook refunds show takes REFERENCE.', 'refunds show --help'],
  ['status extra', 2, 'Unexpected argument: extra. tallyhook status takes no argument.', 'status --help'],
  [
    `payouts verify-account NGN 990001 0000000001 ${OK}`,
    2,
    'Unexpected argument: 0000000001. tallyhook payouts verify-account takes BANK-CODE ACCOUNT.',
    'See: tallyhook payouts verify-account --help',
  ],
  ['status --wacth', 2, 'Unknown option: --wacth', 'Did you mean --watch? See: tallyhook status --help'],
  ['status -x', 2, 'Unknown option: -x', 'See: tallyhook status --help'],
  ['status --watch --every', 2, '--every needs a value.', 'See: tallyhook status --help'],
  ['status --watch --every 5', 2, '--every is "5": it needs a unit: 5s, 5m, 5h or 5d.', 'See: tallyhook status --help'],
  ['status --watch --every 0s', 2, '--every is "0s": it must be one second or more.', 'See: tallyhook status --help'],
  ['status --watch --every 0', 2, '--every is "0": it must be one second or more.', 'See: tallyhook status --help'],
  [
    `events list --format csv ${OK}`,
    2,
    'Unknown option: --format',
    'Did you mean tallyhook events export --format csv?',
  ],
  ['serve --port 8080', 2, 'Unknown option: --port', 'Did you mean the setting receiver.port, or TALLYHOOK_PORT?'],
  ['status --environment prod', 2, '--environment is "prod": it must be test or live.', 'status --help'],
  ['trigger refund.succes', 2, 'EVENT is "refund.succes": it must be', 'Did you mean refund.success?'],
  ['trigger', 2, 'Which event?', 'List them: tallyhook trigger --list'],
  [`trigger refund.success --count 1e9 ${OK}`, 2, '--count is "1e9": it must be a whole number', 'trigger --help'],
  [`trigger refund.success --count 2 --count 3 ${OK}`, 2, '--count is given twice: give it once.', 'trigger --help'],
  [`trigger refund.success --amount 0,5 ${OK}`, 2, '--amount is "0,5": use a point, 0.5.', 'trigger --help'],
  [`trigger refund.success --url foo ${OK}`, 2, '--url is "foo": it must start with http:// or https://.', 'help'],
  [
    `trigger refund.success --old-key no ${OK}`,
    2,
    '--old-key is "no": there is no such test key pair.',
    'Known: test-1.',
  ],
  [`trigger refund.success --environment live ${OK}`, 2, 'A sample signed with a live key', '--live --yes'],
  [`refunds request TX --amount 0,5 ${OK}`, 2, '--amount is "0,5": use a point, 0.5.', 'refunds request --help'],
  [
    `payouts send ${OK}`,
    2,
    '--amount, --bank-code, --bank-name, --account and --narration are missing.',
    'send --help',
  ],
  [`collections start cash --amount 5 ${OK}`, 2, 'CHANNEL is "cash": it must be card, bank-transfer', 'start --help'],
  [`collections start ussd --amount 5 ${OK}`, 2, 'ussd needs --email.', 'See: tallyhook collections start --help'],
  [`sweep refnds ${OK}`, 2, 'KIND is "refnds": it must be refunds', 'Did you mean refunds?'],
  [`schedule run swep ${OK}`, 2, 'JOB is "swep": it must be sweep', 'Did you mean sweep?'],
  [`backfill ${OK}`, 2, 'baseUrl: is not set, and this calls the service', 'docs/configuration.md'],
  ['sandbox advance 2', 2, 'BY is "2": it needs a unit.', 'Seconds, minutes, hours or days: 2s, 2m, 2h, 2d.'],
  ['sandbox --port 99999', 2, '--port is "99999": it must be a whole number from 0 to 65535.', 'sandbox --help'],
  [
    'sandbox advance 2h --url http://127.0.0.1:1 --token x',
    1,
    'No sandbox answers at http://127.0.0.1:1.',
    'Start one',
  ],
  ['sandbox --port TAKEN', 2, 'Port TAKEN of 127.0.0.1 is taken.', 'Choose another port with --port'],
  // Files that are missing end with 2 everywhere.
  [
    `verify no.json --headers headers.txt ${OK}`,
    2,
    'Cannot read no.json: it does not exist.',
    'Give the path of a file',
  ],
  [`verify body.json --headers no.txt ${OK}`, 2, 'Cannot read no.txt: it does not exist.', 'Give the path of a file'],
  [`verify folder --headers headers.txt ${OK}`, 2, 'Cannot read folder: it is a folder.', 'Give the path of a file'],
  [`track payout no.csv ${OK}`, 2, 'Cannot read no.csv: it does not exist.', 'A REFERENCE that ends in .csv'],
  [`track forget no.csv ${OK}`, 2, 'Cannot read no.csv: it does not exist.', 'A REFERENCE that ends in .csv'],
  [
    `track payout semicolons.csv ${OK}`,
    2,
    'line 1: "reference;amount" is an unknown column. Is ; the delimiter?',
    'separated by commas',
  ],
  ['sandbox --chaos no.yaml', 2, 'Cannot read no.yaml: it does not exist.', 'Give the path of a chaos file'],
  ['sandbox --chaos list.chaos', 2, 'list.chaos:', 'docs/sandbox.md describes every rule'],
  ['help refunds nope', 2, 'Unknown command: nope', 'See: '],
  ['help refunds lst', 2, 'Unknown command: lst', 'Did you mean list?'],
  ['help refunds list extra', 2, 'There is no command refunds list extra.', 'refunds list --help'],
  ['help stats extra', 2, 'There is no command stats extra.', 'stats --help'],
  ['track payout', 2, 'Which reference, or which FILE.csv?', 'track payout --help'],
  ['sandbox advance', 2, 'By how long, such as 30s or 2h?', 'sandbox advance --help'],
  [
    `restore no.db ${OK}`,
    2,
    'There is no backup at no.db; nothing was changed.',
    'Give a backup made by `tallyhook backup`.',
  ],
  ['status --config no.yaml', 2, 'no.yaml: cannot be read: it does not exist.', 'docs/configuration.md'],
  ['status --config folder', 2, 'folder: cannot be read: it is a folder.', 'docs/configuration.md'],
  ['status --config typo.yaml', 2, 'baseurl: is not a setting. Did you mean baseUrl?', 'docs/configuration.md'],
  [
    'status --config broken.yaml',
    2,
    'line 2, column 1: is not valid YAML: the line is indented',
    'docs/configuration.md',
  ],
  ['status', 1, 'There is no database at', 'There is no tallyhook.yaml in'],
  [`status ${OK}`, 1, 'There is no database at', 'Start the receiver once (tallyhook serve)'],
  ['serve', 2, 'keys: has no key pair, and this command needs one', 'docs/configuration.md'],
  ['4111111111111111', 2, 'Unknown command: •••', 'Card details are read from a prompt or stdin'],
];

test.each(MISTAKES)('tallyhook %s', async (line, code, message, next) => {
  const at = (text: string) => text.replaceAll('TAKEN', String(port));
  await expectMistake([at(line), code, at(message), next], { cwd });
});

test.each([
  [{ TALLYHOOK_DATABASE: 'text.db' }, /text\.db is not a database\.\nPoint `database` at a file/],
  [{ TALLYHOOK_DATABSE: 'x' }, /TALLYHOOK_DATABSE: is not a variable .* Did you mean TALLYHOOK_DATABASE\?/],
  [
    { TALLYHOOK_TIME_ZONE: 'Africa/Lagos' },
    /TALLYHOOK_TIME_ZONE: is not a variable: timeZone is a setting of the file only\.\nNo configuration file was read: `tallyhook init` writes one that works\. Every variable and every setting of it is described in docs\/configuration\.md/,
  ],
  [{ TALLYHOOK_PORT: '99999' }, /TALLYHOOK_PORT is "99999": must be a whole number from 0 to 65535\./],
])('the environment %j', async (env, message) => {
  const { code, stderr } = await command(['stats'], { cwd, env });
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});

test('variables of a sandbox are no mistake for other commands', async () => {
  const env = { TALLYHOOK_SANDBOX_URL: 'http://127.0.0.1:1', TALLYHOOK_SANDBOX_TOKEN: 'x' };
  const { stderr } = await command(['status', '--config', 'ok.yaml'], { cwd, env });
  expect(stderr).toMatch(/^tallyhook: There is no database at /);
});
