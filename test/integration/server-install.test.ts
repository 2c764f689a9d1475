import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { shellBlocks } from '../support/documents/blocks.ts';
import { temporaryFolder } from '../support/receiver.ts';
import { CERTIFICATE, KEY } from '../support/self-signed.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';

// "Install on a server" of docs/operations.md, to the letter, on a machine of its own (machine.sh). systemd cannot run there;
// systemctl.ts starts the unit instead, and systemd-analyze judges what it cannot.

const ON_A_SERVER = { tags: ['root', 'nginx', 'systemd-analyze', 'curl'] };
const TRUSTED = '/etc/letsencrypt/live/hooks.example.com/fullchain.pem';
const UNIT = '/etc/systemd/system/tallyhook.service';

/** What is asked afterwards; each answer stands under its name. */
const QUESTIONS = {
  modes:
    'stat -c "%A %U:%G %n" /etc/tallyhook /etc/tallyhook/.env /etc/tallyhook/tallyhook.yaml /var/lib/tallyhook /var/lib/tallyhook/tallyhook.db',
  asOthers: 'runuser -u nobody -- cat /etc/tallyhook/.env 2>&1; echo $?',
  verify: `systemd-analyze verify ${UNIT} 2>&1; echo $?`,
  security: `systemd-analyze security --offline=true --threshold=25 ${UNIT} > /dev/null; echo $?`,
  forged:
    'curl -s -o /dev/null -w "%{http_code}" --interface 127.0.0.2 -H "X-Forwarded-For: 203.0.113.9" -d {} https://hooks.example.com/webhooks/test',
  reload: 'systemctl reload tallyhook; until grep -c "keys reloaded" /run/tallyhook.log; do sleep 0.05; done',
  user: 'stat -c %U /proc/$(cat /run/tallyhook.pid)',
  log: 'cat /run/tallyhook.log',
  trigger:
    'runuser -u tallyhook -- tallyhook trigger refund.success --url https://hooks.example.com/webhooks/test --count 1 --json',
};

let printed: string;
const answers: Partial<Record<string, string>> = {};

beforeAll(() => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'cert.pem'), CERTIFICATE);
  writeFileSync(join(folder, 'key.pem'), KEY);
  const page = readFileSync(packageFile('docs/operations.md'), 'utf8');
  const script = [
    ...shellBlocks(page, 'Install on a server'),
    ...Object.entries(QUESTIONS).map(([name, command]) => `(${command}) > /opt/folder/${name} || echo "$?"`),
  ];
  const machine = packageFile('test/support/server/machine.sh');
  const ended = spawnSync(machine, [packageFile(), process.execPath, folder, script.join('\n')], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', NODE_EXTRA_CA_CERTS: TRUSTED, CURL_CA_BUNDLE: TRUSTED, ...TEST_KEY_ENV },
  });
  printed = ended.stdout + ended.stderr;
  if (ended.status !== 0) throw new Error(`It ended with ${ended.status}:\n${printed}`);
  for (const name of Object.keys(QUESTIONS)) answers[name] = readFileSync(join(folder, name), 'utf8').trim();
}, 120_000);

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

test('systemd accepts the unit, and finds little to harden', ON_A_SERVER, () => {
  expect(answers.verify).toBe('0');
  expect(answers.security).toBe('0');
});

test('the service runs as its own user; a reload reads the keys again', ON_A_SERVER, () => {
  expect([answers.user, answers.reload]).toEqual(['tallyhook', '1']);
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
