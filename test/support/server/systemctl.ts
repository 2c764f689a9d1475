#!/usr/bin/env node
// Stands for `systemctl` where no systemd runs: starts a unit as systemd would as far as a plain process can, with its user,
// folders, modes and a file system that is read-only but for its state. What it does not know, it refuses.
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const PID_FILE = '/run/tallyhook.pid';
const NGINX_PID_FILE = '/run/nginx.pid';
export const LOG_FILE = '/run/tallyhook.log';

const ACTIONS: Record<string, () => unknown> = {
  'daemon-reload': () => {},
  'enable --now tallyhook': () => start(readUnit('/etc/systemd/system/tallyhook.service')),
  'reload tallyhook': () => process.kill(Number(readFileSync(PID_FILE, 'utf8')), 'SIGHUP'),
  'reload nginx': () => process.kill(Number(readFileSync(NGINX_PID_FILE, 'utf8')), 'SIGHUP'),
};

const asked = process.argv.slice(2).join(' ');
const action = ACTIONS[asked];
if (action === undefined) throw new Error(`systemctl ${asked} is not known here`);
await action();

type Unit = (name: string) => string;

function readUnit(file: string): Unit {
  const lines = readFileSync(file, 'utf8').split('\n');
  const settings = new Map(
    lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s) as [string, string]),
  );
  return (name) => {
    const value = settings.get(name);
    if (value === undefined) throw new Error(`${file} has no ${name}`);
    return value;
  };
}

async function start(unit: Unit): Promise<void> {
  const [, , uid = '', gid = ''] = entryOf(unit('User')).split(':');
  const state = `/var/lib/${unit('StateDirectory')}`;
  mkdirSync(state, { recursive: true });
  chmodSync(state, Number.parseInt(unit('StateDirectoryMode'), 8));
  chownSync(state, Number(uid), Number(gid));
  const user = [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--no-new-privs',
    '--bounding-set=-all',
    '--',
  ];
  const sealed = [
    `mount --bind ${state} ${state}`,
    // As ProtectSystem=strict and PrivateTmp do.
    'for place in / /etc /opt /usr/local/bin /var/lib; do mount -o remount,bind,ro $place; done',
    'mount -t tmpfs -o mode=1777 none /tmp',
    `cd ${unit('WorkingDirectory')}`,
    `umask ${unit('UMask')}`,
    `exec ${user.join(' ')} ${unit('ExecStart')}`,
  ];
  const log = openSync(LOG_FILE, 'w');
  const child = spawn('unshare', ['--mount', 'sh', '-ec', sealed.join('\n')], {
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  });
  writeFileSync(PID_FILE, String(child.pid));
  let code: number | null = null;
  child.on('exit', (number) => {
    code = number ?? 1;
  });
  while (!readFileSync(LOG_FILE, 'utf8').includes('"msg":"serving"')) {
    if (code !== null) throw new Error(`the unit ended with ${code}:\n${readFileSync(LOG_FILE, 'utf8')}`);
    await setTimeout(20);
  }
  child.unref();
}

function entryOf(user: string): string {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${user}:`));
  if (line === undefined) throw new Error(`there is no user ${user}`);
  return line;
}
