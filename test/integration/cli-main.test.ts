import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { spawn } from '../support/processes.ts';
import { LAUNCHER } from '../support/program.ts';
import { tallyhook } from '../support/tallyhook.ts';

const cwd = mkdtempSync(join(tmpdir(), 'tallyhook-main-'));
afterAll(() => rmSync(cwd, { recursive: true }));

test('--version is the version of package.json', async () => {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  expect(await tallyhook(['--version'], { cwd })).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('--help goes to stdout and ends with examples and exit codes', async () => {
  const { code, stdout, stderr } = await tallyhook(['--help'], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /\nReceive webhooks\n[\s\S]*Options of every[\s\S]*Examples\n {2}tallyhook init[\s\S]*Exit codes: 0 done/,
  );
});

test.each([
  ['an unknown command', ['triger', 'x'], /Unknown command: triger\nDid you mean trigger\?/],
  ['an unknown option', ['trigger', '--concurency', '2'], /Unknown option: --concurency\nDid you mean --concurrency\?/],
  ['a missing argument', ['verify'], /Which file\? tallyhook verify FILE\nSee: tallyhook verify --help\n/],
  ['a missing value', ['verify', 'x', '--config'], /--config needs a value\./],
  ['a value outside the choices', ['trigger', 'refund.sucess'], /Did you mean refund\.success\?/],
  [
    'a count that is no number',
    ['trigger', 'refund.success', '--count', '1e9'],
    /--count is "1e9": it must be a whole number/,
  ],
  [
    'a configuration file that is missing',
    ['verify', 'x', '--headers', 'y', '--config', 'no.yaml'],
    /no\.yaml: cannot be read/,
  ],
  [
    'options that exclude each other',
    ['verify', 'x', '--headers', 'y', '--payload-signature', 'z'],
    /--headers and --payload-signature exclude each other/,
  ],
])('wrong usage ends with 2, one message and no stack trace: %s', async (_what, args, message) => {
  const { code, stdout, stderr } = await tallyhook(args, { cwd });
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/\n\s+at /);
});

test.each([
  ['--verbose', ['--verbose'], {}],
  ['DEBUG=tallyhook', [], { DEBUG: 'tallyhook' }],
])('%s shows the stack trace', async (_what, args, env) => {
  const { code, stderr } = await tallyhook(['verify', 'x', '--headers', 'y', '--config', 'no.yaml', ...args], {
    cwd,
    env,
  });
  expect(code).toBe(2);
  expect(stderr).toMatch(/\n\s+at /);
});

test('a reader that closes the pipe ends the program without a message', async () => {
  const child = spawn(process.execPath, [LAUNCHER, 'trigger', '--list'], { cwd });
  child.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
