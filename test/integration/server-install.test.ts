import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { shellBlocks } from '../support/documents/blocks.ts';
import { temporaryFolder } from '../support/folder.ts';
import { LAUNCHER } from '../support/program.ts';
import { CERTIFICATE, KEY } from '../support/self-signed.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';

// "Install on a server" of docs/operations.md, to the letter, on a machine of its own (machine.sh). systemd cannot run there;
// systemctl.ts starts the unit instead, and systemd-analyze judges what it cannot.

const ON_A_SERVER = { tags: ['root', 'nginx', 'caddy', 'systemd-analyze', 'curl'] };
const TRUSTED = '/etc/letsencrypt/live/hooks.example.com/fullchain.pem';
const UNITS = '/etc/systemd/system';

/** What is asked afterwards; each answer stands under its name. */
const QUESTIONS = {
  modes:
    'stat -c "%A %U:%G %n" /etc/tallyhook /etc/tallyhook/.env /etc/tallyhook/tallyhook.yaml /var/lib/tallyhook /var/lib/tallyhook/tallyhook.db',
  asOthers: 'runuser -u nobody -- cat /etc/tallyhook/.env 2>&1; echo $?',
  verify: `systemd-analyze verify ${UNITS}/tallyhook*.service ${UNITS}/tallyhook-*.socket ${UNITS}/tallyhook-*.timer 2>&1; echo $?`,
  calendars: `sed -n s/^OnCalendar=//p ${UNITS}/tallyhook-*.timer | while read -r when; do systemd-analyze calendar "$when" > /dev/null || echo "$when"; done`,
  security: `for unit in tallyhook tallyhook-job@; do systemd-analyze security --offline=true --threshold=25 ${UNITS}/$unit.service > /dev/null; echo $?; done`,
  caddy:
    'XDG_DATA_HOME=/tmp XDG_CONFIG_HOME=/tmp caddy validate --config /etc/tallyhook/Caddyfile --adapter caddyfile 2>&1 | tail -1',
  sockets:
    'systemctl restart tallyhook; grep -c "\\"serving\\"" /run/tallyhook.log; grep -c "passed socket" /run/tallyhook.log || :',
  forged:
    'curl -s -o /dev/null -w "%{http_code}" --interface 127.0.0.2 -H "X-Forwarded-For: 203.0.113.9" -d {} https://hooks.example.com/webhooks/test',
  reload:
    'systemctl reload tallyhook; until grep -q "keys reloaded" /run/tallyhook.log; do sleep 0.05; done; echo reloaded',
  user: 'stat -c %U /proc/$(sed -n \'s/.*"pid":\\([0-9]*\\).*"serving".*/\\1/p\' /run/tallyhook.log | tail -1)',
  log: 'cat /run/tallyhook.log',
  runs: 'runuser -u tallyhook -- tallyhook schedule list --json',
  crontab:
    'sed -n "s/^[*].*tallyhook \\(.*schedule run health.*\\) 2>&1.*/\\1/p" /etc/cron.d/tallyhook > /tmp/line; runuser -u tallyhook -- sh -e /tmp/line > /dev/null 2>&1; echo $?',
  trigger:
    'runuser -u tallyhook -- tallyhook trigger refund.success --url https://hooks.example.com/webhooks/test --count 1 --json',
};

/** The same, once the finance user is set up. */
const FINANCE_QUESTIONS = {
  shared: 'stat -c "%A %U:%G %n" /var/lib/tallyhook /var/lib/tallyhook/tallyhook.db*',
  keysForAlice: 'runuser -l alice -c "cat /etc/tallyhook/.env" 2>&1; echo $?',
  sharedDoctor: 'runuser -u tallyhook -g finance -G tallyhook -- tallyhook doctor',
};

const asked = (questions: Record<string, string>) =>
  Object.entries(questions).map(([name, command]) => `(${command}) > /opt/folder/${name} || echo "$?"`);

let printed: string;
const answers: Partial<Record<string, string>> = {};

beforeAll(() => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'cert.pem'), CERTIFICATE);
  writeFileSync(join(folder, 'key.pem'), KEY);
  const page = readFileSync(packageFile('docs/operations.md'), 'utf8');
  const [asRoot = '', asAlice = ''] = shellBlocks(page, 'A finance user beside the service');
  const script = [
    ...shellBlocks(page, 'Install on a server'),
    ...shellBlocks(page, 'The schedule'),
    ...asked(QUESTIONS),
    asRoot,
    `runuser -l alice <<'END'\nset -e\n${asAlice}END`,
    ...asked(FINANCE_QUESTIONS),
  ];
  const machine = packageFile('test/support/server/machine.sh');
  const program = relative(packageFile(), LAUNCHER);
  const ended = spawnSync(machine, [packageFile(), program, process.execPath, folder, script.join('\n')], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', NODE_EXTRA_CA_CERTS: TRUSTED, CURL_CA_BUNDLE: TRUSTED, ...TEST_KEY_ENV },
  });
  printed = ended.stdout + ended.stderr;
  if (ended.status !== 0) throw new Error(`It ended with ${ended.status}:\n${printed}`);
  for (const name of Object.keys({ ...QUESTIONS, ...FINANCE_QUESTIONS }))
    answers[name] = readFileSync(join(folder, name), 'utf8').trim();
});

test(
  'its files have the owners and modes that the document names, and no other user reads the keys',
  ON_A_SERVER,
  () => {
    expect(answers.modes?.split('\n')).toEqual([
      'drwxr-x--- root:tallyhook /etc/tallyhook',
      '-rw-r----- root:tallyhook /etc/tallyhook/.env',
      '-rw-r----- root:tallyhook /etc/tallyhook/tallyhook.yaml',
      'drwxr-x--- tallyhook:tallyhook /var/lib/tallyhook',
      '-rw------- tallyhook:tallyhook /var/lib/tallyhook/tallyhook.db',
    ]);
    expect(answers.asOthers).toMatch(/Permission denied\n1$/);
  },
);

test('systemd accepts the units, and finds little to harden', ON_A_SERVER, () => {
  expect([answers.verify, answers.calendars]).toEqual(['0', '']);
  expect(answers.security).toBe('0\n0');
});

test('Caddy accepts its file', ON_A_SERVER, () => {
  expect(answers.caddy).toBe('Valid configuration');
});

test('serve takes both sockets where they are configured, also after a restart', ON_A_SERVER, () => {
  expect(answers.sockets).toBe('2\n0');
});

test('a timer and the crontab run a job as the user of the service', ON_A_SERVER, () => {
  expect(answers.crontab).toBe('0');
  const { items } = JSON.parse(answers.runs ?? '') as { items: { job: string; last: unknown }[] };
  expect(items.find(({ job }) => job === 'health')).toMatchObject({ last: { outcome: 'done', cause: 'command' } });
});

test('a finance user reads and writes the database, and no key', ON_A_SERVER, () => {
  expect(answers.shared?.split('\n')).toEqual([
    'drwxrws--- tallyhook:finance /var/lib/tallyhook',
    ...['', '-shm', '-wal', '.lock'].map(
      (name) => `-rw-rw---- tallyhook:finance /var/lib/tallyhook/tallyhook.db${name}`,
    ),
  ]);
  expect(answers.keysForAlice).toMatch(/Permission denied\n1$/);
  expect(answers.sharedDoctor).toMatch(/^ok +database mode: .* has mode 0660$/m);
  expect(answers.sharedDoctor).not.toMatch(/^(warning|FAILED)/m);
});

test('the service runs as its own user; a reload reads the keys again', ON_A_SERVER, () => {
  expect([answers.user, answers.reload]).toEqual(['tallyhook', 'reloaded']);
});

test('a signed body passes the proxy untouched; doctor agrees, also as the user of the service', ON_A_SERVER, () => {
  expect(JSON.parse(answers.trigger ?? '')).toMatchObject({ answers: { 200: 1 }, unexpected: 0 });
  expect(printed).toContain('ok       probe test: signed');
  expect(printed).not.toMatch(/^(warning|FAILED)/m);
});

test('a refused request has the address of its sender, who cannot name another one', ON_A_SERVER, () => {
  const lines = (answers.log ?? '').split('\n').filter((line) => line.includes('"delivery refused"'));
  expect(answers.forged).toBe('401');
  expect(JSON.parse(lines.at(-1) ?? '{}')).toMatchObject({ remoteAddress: '127.0.0.2' });
});
