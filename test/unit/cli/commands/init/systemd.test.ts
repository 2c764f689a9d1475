import { expect, test } from 'vitest';
import type { Target } from '../../../../../cli/commands/init/deployment.ts';
import { publicAddress } from '../../../../../cli/commands/init/public-address.ts';
import { systemd, systemdFiles } from '../../../../../cli/commands/init/systemd.ts';
import { type Config, loadConfig } from '../../../../../src/config/load.ts';
import { JOB_NAMES } from '../../../../../src/domain/jobs/job.ts';

const PROGRAMS = { node: '/usr/bin/node', launcher: '/usr/lib/node_modules/tallyhook/cli/tallyhook.js' };
const config: Config = {
  ...loadConfig({ env: {}, cwd: '/' }),
  database: '/var/lib/tallyhook/tallyhook.db',
};
const target = (changes: Partial<Target> & { readonly publicUrl?: string } = {}): Target => ({
  folder: '/etc/tallyhook',
  file: '/etc/tallyhook/tallyhook.yaml',
  address: publicAddress(changes.publicUrl ?? 'https://hooks.example.com'),
  otherReceivers: [],
  databaseGroup: null,
  ...changes,
});
const filesOf = (changes: Partial<Config> = {}, at = target()) => systemdFiles({ ...config, ...changes }, at, PROGRAMS);
const values = (text: string | undefined, key: string) =>
  [...(text ?? '').matchAll(RegExp(`^ *${key}[= ](.*?);?$`, 'gm'))].map(([, value]) => value);

test('the certificate is made before nginx reads the block that names it', () => {
  const steps = systemd.steps(target({ publicUrl: 'https://hooks.example.com:8443' }));
  const at = (part: string) => steps.findIndex((step) => step.includes(part));
  expect(steps[at('certbot')]).toBe('certbot certonly --nginx -d hooks.example.com');
  expect([at('useradd'), at('enable --now'), at('certbot'), at('conf.d'), at('nginx -t')]).toEqual([0, 3, 4, 5, 6]);
});

test.each([
  ['https://hooks.example.com', '443', 'hooks.example.com'],
  ['https://hooks.example.com:8443', '8443', 'hooks.example.com:8443'],
])('both proxies serve %s by its name, at port %s', (publicUrl, port, site) => {
  const { 'nginx.conf': block, Caddyfile: caddy } = filesOf({}, target({ publicUrl }));
  expect(values(block, 'listen')).toEqual([`${port} ssl`]);
  expect(values(block, 'server_name')).toEqual(['hooks.example.com']);
  expect(values(block, 'ssl_certificate')).toEqual(['/etc/letsencrypt/live/hooks.example.com/fullchain.pem']);
  expect(values(block, 'ssl_certificate_key')).toEqual(['/etc/letsencrypt/live/hooks.example.com/privkey.pem']);
  expect(caddy).toContain(`\n${site} {\n`);
});

test('with receivers of other machines both proxies send to all of them, and to the next where one does not answer', () => {
  const { 'nginx.conf': block, Caddyfile: caddy } = filesOf({}, target({ otherReceivers: ['10.0.0.12:4600'] }));
  expect([...(block ?? '').matchAll(/^ {2}server (\S+) max_fails/gm)].map(([, address]) => address)).toEqual([
    '127.0.0.1:4600',
    '10.0.0.12:4600',
  ]);
  expect(new Set(values(block, 'proxy_pass'))).toEqual(new Set(['http://tallyhook']));
  expect(values(block, 'proxy_next_upstream')).toEqual(['error timeout http_503 non_idempotent']);
  expect(caddy).toContain('reverse_proxy http://127.0.0.1:4600 http://10.0.0.12:4600 {');
  expect(values(filesOf()['nginx.conf'], 'proxy_next_upstream')).toEqual([]);
});

test('the files named are those written, and nothing is left to fill in', () => {
  const files = filesOf();
  expect(Object.keys(files).toSorted()).toEqual(systemd.names.toSorted());
  for (const text of Object.values(files)) expect(text).not.toMatch(/undefined|<%|%>|\[object|\n\n\n/);
  for (const job of JOB_NAMES) expect(files['jobs/crontab']).toContain(`schedule run ${job} --config `);
});

test('the job that sees a dead `serve` is kept beside a `serve` that runs it', () => {
  const {
    'jobs/crontab': crontab,
    'jobs/tallyhook-alerts.timer': timer,
    'jobs/tallyhook-health.timer': other,
  } = filesOf();
  for (const text of [crontab, timer]) expect(text).toContain('only a process beside it sees that `serve` is dead');
  expect(timer).not.toContain('to null before');
  expect(other).toContain('set schedule.health to null before');
});

test('the folder of reports can be written to', () => {
  const files = filesOf({ reports: { ...config.reports, folder: '/papers' } });
  for (const unit of ['tallyhook.service', 'jobs/tallyhook-job@.service']) {
    expect(values(files[unit], 'ReadWritePaths').join(' ').split(' ')).toContain('/papers');
  }
});

test('addresses, limits and folders are those of the configuration', () => {
  const receiver = {
    ...config.receiver,
    host: '::1',
    port: 4700,
    maxConnections: 30_000,
    shutdownTimeoutMs: 20_000,
    bodyLimitBytes: 1_000,
    captureFailed: '/srv/failed',
  };
  const schedule = { ...config.schedule, backupFolder: '/backups', timeZone: 'Africa/Lagos' };
  const files = filesOf({ receiver, schedule });
  expect(values(files['tallyhook-receiver.socket'], 'ListenStream')).toEqual(['[::1]:4700']);
  expect(values(files['tallyhook-admin.socket'], 'ListenStream')).toEqual(['127.0.0.1:4601']);
  const unit = files['tallyhook.service'];
  expect(values(unit, 'LimitNOFILE')).toEqual(['60000']);
  expect(values(unit, 'TimeoutStopSec')).toEqual(['27']);
  expect(values(unit, 'ReadWritePaths')).toEqual(['/backups /srv/failed']);
  expect(values(files['nginx.conf'], 'client_max_body_size')).toEqual(['2000']);
  expect(values(files['nginx.conf'], 'proxy_pass')).toEqual(Array(3).fill('http://[::1]:4700'));
  expect(values(files['jobs/tallyhook-backup.timer'], 'OnCalendar')).toEqual(['02:30 Africa/Lagos']);
});

test('the process that gets the sockets is the one that the unit starts, so it starts with its flags', () => {
  const unit = filesOf()['tallyhook.service'];
  const [start = ''] = values(unit, 'ExecStart');
  expect(start).toMatch(/^\/usr\/bin\/node --max-semi-space-size=8 (--\S+ )+\/usr\/lib\/.* serve --config \/etc\//);
  expect(values(unit, 'Environment')).toEqual(['MALLOC_ARENA_MAX=2']);
});

test('a group for the database is no group for the keys', () => {
  const shared = filesOf({}, target({ databaseGroup: 'finance' }))['tallyhook.service'];
  const modes = ['User', 'Group', 'SupplementaryGroups', 'UMask', 'StateDirectoryMode'];
  expect(modes.map((key) => values(shared, key)[0])).toEqual(['tallyhook', 'finance', 'tallyhook', '0007', '2770']);
  const own = filesOf()['tallyhook.service'];
  expect(modes.map((key) => values(own, key)[0])).toEqual(['tallyhook', 'tallyhook', undefined, '0077', '0750']);
});

test.each<[string, Partial<Config>, Partial<Target>, RegExp]>([
  ['a folder with a blank', {}, { folder: '/etc/tally hook' }, /"\/etc\/tally hook" has a blank in its name/],
  ['a folder with a sign of units', {}, { folder: '/etc/100%' }, /has "%" in its name/],
  ['a folder below /proc', {}, { folder: '/proc/1/cwd' }, /below \/proc, which keeps no files/],
  ['a folder below /run', {}, { folder: '/run/tallyhook' }, /below \/run, which keeps no files/],
  ['a folder below a home', {}, { folder: '/home/a/tallyhook' }, /sees nothing below \/home/],
  ['a database below a home', { database: '/root/tallyhook.db' }, {}, /could not read \/root/],
  ['any free port', { admin: { ...config.admin, port: 0 } }, {}, /admin\.port is 0/],
])('refused: %s', (_what, changes, at, why) => {
  expect(() => filesOf(changes, target(at))).toThrow(why);
});
