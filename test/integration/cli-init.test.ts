import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { packageFile } from '../../src/package-root.ts';
import { command } from '../support/command.ts';

const env = { TALLYHOOK_TEST_PUBLIC_KEY: 'pk_test_0123456789', TALLYHOOK_TEST_SECRET_KEY: 'sk_test_0123456789#abc' };

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'tallyhook-init-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

test('with keys in variables it writes two files that load, the one with secrets for its owner alone', async () => {
  const { code, stdout } = await command(['init'], { cwd, env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/tallyhook\.yaml and \.env[\s\S]*test-1[\s\S]*tallyhook serve/);
  expect(stdout).not.toContain('0123456789');
  expect(statSync(join(cwd, '.env')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(cwd, 'tallyhook.yaml'), 'utf8')).not.toContain('0123456789');
  const [pair] = loadConfig({ env: {}, cwd }).keyPairs;
  expect([pair?.publicKey, pair?.secretKey.reveal()]).toEqual([
    env.TALLYHOOK_TEST_PUBLIC_KEY,
    env.TALLYHOOK_TEST_SECRET_KEY,
  ]);
});

test('the first line points editors at the schema of this version', async () => {
  await command(['init', '--yes'], { cwd });
  const [, schema = ''] =
    /^# yaml-language-server: \$schema=(\S+)/.exec(readFileSync(join(cwd, 'tallyhook.yaml'), 'utf8')) ?? [];
  expect(existsSync(join(cwd, schema))).toBe(true);
});

test('options outrank variables; --json says what was written', async () => {
  const args = [
    '--live-public-key',
    'pk_live_x',
    '--live-secret-key',
    'sk_live_0123456789',
    '--test-public-key',
    'pk_test_option',
  ];
  const { stdout } = await command(['init', '--folder', 'deep/er', '--json', ...args], { cwd, env });
  expect(JSON.parse(stdout)).toEqual({
    written: [join(cwd, 'deep/er/tallyhook.yaml'), join(cwd, 'deep/er/.env')],
    keyIds: ['test-1', 'live-1'],
  });
  expect(loadConfig({ env: {}, cwd: join(cwd, 'deep/er') }).keyPairs[0]?.publicKey).toBe('pk_test_option');
});

test.each(['sub', 'my hooks', "it's"])('what it advises after --folder %j works as pasted', async (folder) => {
  const { stdout } = await command(['init', '--folder', folder], { cwd, env });
  const [serve = '', trigger = ''] = stdout.split('\n').filter((line) => /^ {2}tallyhook (serve|trigger)/.test(line));
  const config = (line: string) => {
    const pasted = line
      .trim()
      .replace(/ {2,}.*/, '')
      .replace('tallyhook', "printf '%s\\n'");
    return spawnSync('sh', ['-c', pasted], { encoding: 'utf8' }).stdout.trim().split('\n');
  };
  expect(config(serve)).toEqual(['serve', '--config', `${folder}/tallyhook.yaml`]);
  expect(config(trigger)).toEqual(['trigger', 'refund.success', '--config', `${folder}/tallyhook.yaml`]);
  const sent = await command([...config(trigger), '--url', 'http://127.0.0.1:1'], { cwd });
  expect(sent).toMatchObject({ code: 1, stderr: expect.stringContaining('127.0.0.1:1') });
});

test('--yes without keys leaves them as comments to fill in', async () => {
  const { code, stdout } = await command(['init', '--yes'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('Keys: none yet');
  expect(readFileSync(join(cwd, '.env'), 'utf8')).toContain('# TALLYHOOK_LIVE_SECRET_KEY=');
});

test.each(['.env', 'tallyhook.yaml'])('an existing %s is not overwritten, unless with --force', async (name) => {
  writeFileSync(join(cwd, name), '# mine\n');
  const refused = await command(['init'], { cwd, env });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/exists already; nothing was written/);
  expect(readdirSync(cwd)).toEqual([name]);
  expect(readFileSync(join(cwd, name), 'utf8')).toBe('# mine\n');
  expect((await command(['init', '--force'], { cwd, env })).code).toBe(0);
  expect(readdirSync(cwd).sort()).toEqual(['.env', 'tallyhook.yaml']);
  expect(statSync(join(cwd, '.env')).mode & 0o777).toBe(0o600);
});

test.each([
  ['no terminal and no keys', [], {}, /no terminal/],
  ['half a pair', [], { TALLYHOOK_TEST_PUBLIC_KEY: 'pk_test_x' }, /test secret key is missing/],
  ['swapped keys', ['--test-public-key', 'sk_test_CANARYcanary12'], {}, /is a secret key where the public key belongs/],
  ['a live key under test', ['--test-secret-key', 'sk_live_CANARYcanary12'], {}, /live key under test/],
  ['a short secret', ['--test-secret-key', 'sk_test_CAN'], {}, /at least 16 characters/],
  ['a server without its address', ['--deploy', 'systemd'], {}, /--public-url is missing/],
  [
    'an address without a server',
    ['--yes', '--public-url=https://hooks.example.com'],
    {},
    /--public-url needs --deploy\./,
  ],
  [
    'a server without TLS',
    ['--deploy=systemd', '--public-url=http://hooks.example.com'],
    {},
    /needs the https:\/\/ address/,
  ],
  [
    'a path where the service would not be',
    ['--deploy=systemd', '--public-url=https://hooks.example.com/hooks'],
    {},
    /without a path/,
  ],
  [
    'a folder that a service cannot see',
    ['--deploy=systemd', '--public-url=https://hooks.example.com', '--folder=.'],
    {},
    /a service sees nothing below \/(tmp|home|root)/,
  ],
])('refused, with nothing written: %s', async (_what, args, variables, message) => {
  const { code, stderr } = await command(['init', ...args], { cwd, env: variables });
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('CAN');
  expect(readdirSync(cwd)).toEqual([]);
});

test('in a working tree of git, what it writes and what serve makes cannot be committed by accident', {
  tags: ['git'],
}, async () => {
  const git = (...args: string[]) => spawnSync('git', args, { cwd, encoding: 'utf8' }).stdout;
  git('init', '--quiet');
  mkdirSync(join(cwd, 'deploy'));
  writeFileSync(join(cwd, 'deploy', '.gitignore'), 'node_modules\n/.env');
  const { stdout } = await command(['init', '--folder', 'deploy'], { cwd, env });
  expect(stdout).toContain(
    'Added to deploy/.gitignore: .env, audit.key, access.key and data/, which must not be committed\n',
  );
  writeFileSync(join(cwd, 'deploy', 'audit.key'), '0'.repeat(64));
  mkdirSync(join(cwd, 'deploy', 'data'));
  writeFileSync(join(cwd, 'deploy', 'data', 'tallyhook.db'), '');
  git('add', '--all');
  expect(git('ls-files').trim().split('\n')).toEqual(['deploy/.gitignore', 'deploy/tallyhook.yaml']);
  const ignored = readFileSync(join(cwd, 'deploy', '.gitignore'), 'utf8');
  expect(ignored).toBe('node_modules\n/.env\n# Tallyhook: keys and data\n/audit.key\n/access.key\n/data/\n');
  await command(['init', '--folder', 'deploy', '--force'], { cwd, env }); // and not twice
  expect(readFileSync(join(cwd, 'deploy', '.gitignore'), 'utf8')).toBe(ignored);
});

test('a clone ignores the key of the audit chain', () => {
  expect(readFileSync(packageFile('.gitignore'), 'utf8').split('\n')).toContain('/audit.key');
});
