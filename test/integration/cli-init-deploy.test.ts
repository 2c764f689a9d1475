import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { temporaryFolder } from '../support/folder.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';

// `init --deploy docker`, which works in any folder. server-install.test.ts runs `--deploy systemd`, on a machine of its own.

const ADDRESS = 'https://hooks.example.com';
let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
});
const init = (args: readonly string[] = [], { env = TEST_KEY_ENV as Record<string, string>, url = ADDRESS } = {}) =>
  command(['init', '--deploy', 'docker', '--public-url', url, ...args], { cwd, env });
const names = ['config/.env', 'config/tallyhook.yaml', 'Dockerfile', 'compose.yaml', 'Caddyfile'];
const text = (name: string) => readFileSync(join(cwd, name), 'utf8');

test('it writes the image, the compose file, the proxy and a configuration that only the container reads', async () => {
  const { code, stdout } = await init(['--json']);
  expect(code).toBe(0);
  const printed = JSON.parse(stdout);
  expect(printed).toEqual({ written: names.map((name) => join(cwd, name)), kept: [], keyIds: ['test-1'] });
  expect(undocumentedFields(printed, ['init'])).toEqual([]);
  expect([statSync(join(cwd, 'config')).mode & 0o777, statSync(join(cwd, 'config/.env')).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  expect(text('config/.env')).toContain('(mode 0600)');
  const { uid, gid } = statSync(join(cwd, 'config/.env'));
  expect(text('Dockerfile')).toContain(`\nUSER ${uid}:${gid}\n`);
  expect(text('config/tallyhook.yaml')).toContain('\n  host: 0.0.0.0\n');
});

test('again: nothing is replaced; with --force all but the configuration, from which the others are written', async () => {
  await init();
  writeFileSync(join(cwd, 'Caddyfile'), 'mine');
  const again = await init();
  expect([again.code, again.stderr]).toEqual([
    2,
    expect.stringMatching(/Caddyfile exist already; nothing was written/),
  ]);
  expect(again.stderr).toContain('tallyhook.yaml and .env stay as they are');
  expect(text('Caddyfile')).toBe('mine');

  const keys = text('config/.env');
  const changed = text('config/tallyhook.yaml').replace('port: 4600', 'port: 4700');
  writeFileSync(join(cwd, 'config/tallyhook.yaml'), changed);
  const forced = await init(['--force', '--json'], { env: {} });
  expect(forced.code).toBe(0);
  expect(JSON.parse(forced.stdout)).toMatchObject({ kept: names.slice(0, 2).map((name) => join(cwd, name)) });
  expect([text('config/.env'), text('config/tallyhook.yaml')]).toEqual([keys, changed]);
  expect(text('Caddyfile')).toContain('reverse_proxy tallyhook:4700 {');
});

test('--receivers: the proxy sends to the receivers of other machines as well, and those reach this one', async () => {
  expect((await init(['--receivers', '10.0.0.12:4600, [fd00::2]:4601'])).code).toBe(0);
  expect(text('Caddyfile')).toContain('reverse_proxy tallyhook:4600 10.0.0.12:4600 [fd00::2]:4601 {');
  expect(text('Caddyfile')).toContain('unhealthy_status 503');
  expect(text('compose.yaml')).toContain("\n      - '4600:4600'\n");
});

test.each<[string, string, string[], RegExp]>([
  ['an IP address', 'https://203.0.113.7', [], /a certificate needs the name of this server, not an IP/],
  ['a folder with a blank', ADDRESS, ['--folder', 'my server'], /has a blank in its name/],
  ['a folder below /proc', ADDRESS, ['--folder', '/proc/self/x'], /below \/proc, which keeps no files/],
  [
    'a group of users of a volume',
    ADDRESS,
    ['--database-group', 'finance'],
    /--database-group is for --deploy systemd/,
  ],
  ['the group that reads the keys', ADDRESS, ['--database-group', 'tallyhook'], /that group reads the keys/],
  ['a receiver without a port', ADDRESS, ['--receivers', '10.0.0.12'], /which is no address with a port/],
  ['no name of a group', ADDRESS, ['--database-group', 'Finance!'], /no name of a group/],
])('refused, with nothing written: %s', async (_what, url, args, why) => {
  const { code, stderr } = await init(args, { url });
  expect([code, stderr]).toEqual([2, expect.stringMatching(why)]);
  expect(readdirSync(cwd)).toEqual([]);
});

test('a configuration that cannot work there is refused before anything is written', async () => {
  await init();
  writeFileSync(join(cwd, 'config/tallyhook.yaml'), 'database: ./tallyhook.db\n');
  const before = text('Dockerfile');
  const { code, stderr } = await init(['--force']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('not on the volume of the container')]);
  expect(text('Dockerfile')).toBe(before);
});

test('--database-group without --deploy is refused', async () => {
  const { code, stderr } = await command(['init', '--yes', '--database-group', 'finance'], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining('--database-group needs --deploy.')]);
  expect(existsSync(join(cwd, 'tallyhook.yaml'))).toBe(false);
});
